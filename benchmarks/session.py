"""A session without a browser: one raw web socket to the app, and what a browser would send."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect


@dataclass(frozen=True)
class Answer:
    """How the page answered one change; seconds from sending it.

    Attributes
    ----------
    seen : float
        Until there was something new to see: the whole page, or a bar that shows how far a run is.
    done : float
        Until the page was complete.
    errors : tuple of str
        The kinds of the exceptions shown on the page; what they say is in the app's log alone.
    received : int
        Bytes.
    """

    seen: float
    done: float
    errors: tuple[str, ...]
    received: int


@dataclass
class Session:
    """One session: what a browser knows of the page, and the state of the widgets it has changed.

    Attributes
    ----------
    address : str
        Of the app, ``http://...``.
    page : str
        The page's path, empty for the first.
    query : mapping of str to str or sequence of str
        What the link asks for.
    widgets : dict of str to message
        By their keys, all sliders, buttons and places for files that the page has shown.
    title : str
        Of the page that was shown last.
    id : str
        Of the session, once a page was opened.
    """

    address: str
    page: str = ""
    query: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    widgets: dict[str, Any] = field(default_factory=dict)
    title: str = ""
    id: str = ""
    _states: dict[str, WidgetState] = field(default_factory=dict)
    _known: set[str] = field(default_factory=set)
    _script: str = ""

    async def __aenter__(self) -> Session:
        address = f"{self.address.replace('http', 'ws', 1)}/_stcore/stream"
        self._socket: ClientConnection = await connect(
            address, subprotocols=["streamlit"], max_size=None, open_timeout=60, ping_interval=None
        )  # type: ignore[list-item]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        await self._socket.close()

    async def open(self) -> Answer:
        """Open the link."""
        return await self._ask(BackMsg(), None)

    async def move(self, key: str, value: float | str) -> Answer:
        """Move a slider, to a number or to one of its words."""
        widget = self.widgets[key]
        state = WidgetState(id=widget.id)
        if widget.options:
            state.string_array_value.data.append(str(value))
        else:
            state.double_array_value.data.append(float(value))
        self._states[widget.id] = state
        return await self._ask(BackMsg(), key)

    async def bring(self, key: str, name: str, data: bytes) -> Answer:
        """Upload a file, as a browser does, and wait for what the page says of it."""
        widget, file = self.widgets[key], str(uuid.uuid4())
        path = f"/_stcore/upload_file/{self.id}/{file}"
        await asyncio.to_thread(_put, self.address, path, name, data)
        state = WidgetState(id=widget.id)
        found = state.file_uploader_state_value.uploaded_file_info.add()
        found.file_id, found.name, found.size = file, name, len(data)
        urls = found.file_urls
        urls.file_id, urls.upload_url, urls.delete_url = file, path, path
        self._states[widget.id] = state
        return await self._ask(BackMsg(), key)

    async def _ask(self, message: BackMsg, key: str | None) -> Answer:
        asked = message.rerun_script
        asked.query_string = urlencode(self.query, doseq=True)
        asked.page_script_hash, asked.page_name = self._script, "" if self._script else self.page
        asked.context_info.url = f"{self.address}/{self.page}"
        asked.context_info.timezone = "UTC"
        asked.cached_message_hashes.extend(self._known)
        asked.widget_states.widgets.extend(self._states.values())
        start = time.perf_counter()
        await self._socket.send(message.SerializeToString())
        return await self._answer(start)

    async def _answer(self, start: float) -> Answer:
        seen, received, errors = None, 0, []
        while True:
            data = await self._socket.recv()
            received += len(data)
            message = ForwardMsg.FromString(data)  # type: ignore[arg-type]
            if message.metadata.cacheable:
                self._known.add(message.hash)
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self._script = message.new_session.page_script_hash
                self.id = message.new_session.initialize.session_id
            elif kind == "navigation":  # of an app of many pages, which the session may not know
                self._script = message.navigation.page_script_hash
            elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                element = message.delta.new_element
                what = element.WhichOneof("type")
                if what == "exception":
                    errors.append(element.exception.type)
                elif what == "progress" and seen is None:
                    seen = time.perf_counter() - start
                elif what in ("slider", "button", "file_uploader"):
                    self._meet(getattr(element, what))
                elif what == "heading" and element.heading.tag == "h1":
                    self.title = element.heading.body
            elif kind == "script_finished":
                status = message.script_finished
                if status == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                    errors.append("the script could not be compiled")
                if status != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    done = time.perf_counter() - start
                    return Answer(seen or done, done, tuple(errors), received)

    def _meet(self, widget: Any) -> None:
        """Remember a widget by its key, the last part of its id."""
        self.widgets[widget.id.rsplit("-", 1)[-1]] = widget


def _put(address: str, path: str, name: str, data: bytes) -> None:
    """Send a file to the app, with the token against forged requests that it asks for."""
    cookies = HTTPCookieProcessor()
    browser = build_opener(cookies)
    browser.open(f"{address}/_stcore/health", timeout=60).close()
    browser.open(f"{address}/_stcore/host-config", timeout=60).close()
    token = "".join(one.value or "" for one in cookies.cookiejar if one.name.endswith("_xsrf"))
    edge = uuid.uuid4().hex
    head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    body = f"{head}Content-Type: text/plain\r\n\r\n".encode() + data + f"\r\n--{edge}--".encode()
    kind = {"Content-Type": f"multipart/form-data; boundary={edge}", "X-Xsrftoken": token}
    browser.open(Request(f"{address}{path}", body, kind, method="PUT"), timeout=60).close()
