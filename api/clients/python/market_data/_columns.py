"""Own columns: values beside the bars, as they were known."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._calls import JOB_TIMEOUT_S, Request, Steps, data_of, get, result_of, segment
from ._http import Progress

if TYPE_CHECKING:
    from ._async_client import AsyncClient
    from ._client import Client

PATH = "/v1/my/columns"
#: Both classes have a method `list`, which hides the type in them.
Listed = list[Mapping[str, Any]]


def file_of(frame: Any) -> bytes:
    """A frame of pandas, polars, or Arrow as a file: Arrow, or CSV where pandas has no pyarrow. Text, bytes, and paths as they are."""
    if isinstance(frame, bytes):
        return frame
    if isinstance(frame, Path):
        return frame.read_bytes()
    if isinstance(frame, str):
        return frame.encode()
    buffer = io.BytesIO()
    if hasattr(frame, "write_ipc_stream"):  # polars
        frame.write_ipc_stream(buffer, compression="uncompressed")
        return buffer.getvalue()
    try:
        import pyarrow
    except ImportError:
        return _csv_of(frame)
    if hasattr(frame, "to_csv"):  # pandas
        frame = pyarrow.Table.from_pandas(frame, preserve_index=False)
    elif hasattr(frame, "to_table"):
        frame = frame.to_table()
    if not hasattr(frame, "schema"):
        raise TypeError(f"{type(frame).__name__} is no frame: use pandas, polars, Arrow, CSV as text, or a Path")
    with pyarrow.ipc.new_stream(buffer, frame.schema) as stream:
        stream.write(frame)
    return buffer.getvalue()


def _csv_of(frame: Any) -> bytes:
    if not hasattr(frame, "to_csv"):
        raise TypeError(f"{type(frame).__name__} is no frame: use pandas, polars, Arrow, CSV as text, or a Path")
    text: str = frame.to_csv(index=False)
    return text.encode()


def upload(method: str, path: str, frame: Any, query: Mapping[str, Any], is_repeatable: bool = True) -> Steps[str]:
    """Sends a frame as a file, and returns the id of the job that reads it."""
    headers = {"Prefer": "respond-async", "Content-Type": "application/octet-stream"}
    data = yield from data_of(Request(method, path, dict(query), file_of(frame), headers, is_repeatable), JOB_TIMEOUT_S)
    return str(data["job_id"])


def put(
    name: str, frame: Any, settings: Mapping[str, Any], timeout_s: float | None, on_progress: Progress | None
) -> Steps[Mapping[str, Any]]:
    # Rows that are appended twice are there twice.
    is_repeatable = settings.get("mode") != "append"
    job_id = yield from upload("PUT", f"{PATH}/{segment(name)}", frame, settings, is_repeatable)
    written: Mapping[str, Any] = yield from result_of(f"/v1/my/column-jobs/{segment(job_id)}", timeout_s, on_progress)
    return written


def listed() -> Steps[Listed]:
    data = yield from data_of(get(PATH))
    found: Listed = data["items"]
    return found


def one(name: str) -> Steps[Mapping[str, Any]]:
    found: Mapping[str, Any] = yield from data_of(get(f"{PATH}/{segment(name)}"))
    return found


def rows(name: str, query: Mapping[str, Any]) -> Steps[Listed]:
    found: Listed = []
    page = 1
    while True:
        data = yield from data_of(get(f"{PATH}/{segment(name)}/rows", **query, page=page, size=200))
        found += data["items"]
        if not data["items"] or len(found) >= data["total"]:
            return found
        page += 1


def delete(name: str) -> Steps[None]:
    yield from data_of(Request("DELETE", f"{PATH}/{segment(name)}", {}, {}))


class Columns:
    """Own columns of the account, and everyone's."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def put(
        self,
        name: str,
        frame: Any,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **settings: Any,
    ) -> Mapping[str, Any]:
        """Writes a column, and waits for the account of its lines.

        >>> market.columns.put("sector", frame, lag=0)

        Args:
            frame: ``symbol``, ``date``, ``known_at``, and ``value`` in a frame of pandas, polars, or Arrow, as CSV text, or the path
                of a file.
            settings: ``kind``, ``market``, ``lag``, ``dimension``, ``form``, ``mode``, and so on, as ``PUT /v1/my/columns/{name}``
                takes them.
        """
        return self._client._run(put(name, frame, settings, timeout_s, on_progress))

    def list(self) -> Listed:
        """The columns that rules may name."""
        return self._client._run(listed())

    def get(self, name: str) -> Mapping[str, Any]:
        """A column with its versions and coverage."""
        return self._client._run(one(name))

    def rows(self, name: str, symbol: str | None = None, **query: Any) -> Listed:
        """Rows of an instrument, or of a column of the market; ``start``, ``end``, and ``as_of`` bound them."""
        return self._client._run(rows(name, {"symbol": symbol, **query}))

    def delete(self, name: str) -> None:
        self._client._run(delete(name))


class AsyncColumns:
    """`Columns` for asyncio."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def put(
        self,
        name: str,
        frame: Any,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **settings: Any,
    ) -> Mapping[str, Any]:
        return await self._client._run(put(name, frame, settings, timeout_s, on_progress))

    async def list(self) -> Listed:
        return await self._client._run(listed())

    async def get(self, name: str) -> Mapping[str, Any]:
        return await self._client._run(one(name))

    async def rows(self, name: str, symbol: str | None = None, **query: Any) -> Listed:
        return await self._client._run(rows(name, {"symbol": symbol, **query}))

    async def delete(self, name: str) -> None:
        await self._client._run(delete(name))
