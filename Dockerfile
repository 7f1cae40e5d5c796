# The explorer in a container:
#   docker build --tag cbai .
#   docker run --rm --publish 127.0.0.1:8501:8501 cbai
# Then open http://localhost:8501.

FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir "$(echo /wheels/*.whl)[app]" \
    && useradd --create-home --uid 1000 cbai

USER 1000
WORKDIR /home/cbai
# Compiled here, the app answers at once. On another kind of processor it compiles again by itself.
RUN cbai warm-up

EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://localhost:8501/_stcore/health', timeout=4)"]
CMD ["cbai", "app", "--address", "0.0.0.0", "--no-browser"]
