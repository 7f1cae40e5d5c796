"""The pages' own code: sidebar, cache, words. The only part of the package that knows Streamlit."""
