"""The events of the account as they happen, from ``/v1/stream``."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx

from ._calls import Listen, failure_of
from ._errors import api_error
from ._http import answer_of

OPEN_S = 5.0
#: A comment comes every 15 seconds.
SILENCE_S = 40.0


def stream_request(client: httpx.Client | httpx.AsyncClient, after: int | None = None) -> httpx.Request:
    headers = {} if after is None else {"Last-Event-ID": str(after)}
    return client.build_request("GET", "/v1/stream", headers=headers, timeout=httpx.Timeout(OPEN_S, read=SILENCE_S))


def refusal_of(response: httpx.Response) -> Exception:
    return api_error(failure_of(answer_of(response)))


class Lines:
    """Reads events from the lines of a stream. `last` is the id of the last one, or where the stream begins."""

    def __init__(self) -> None:
        self.last: int | None = None
        self._fields: dict[str, str] = {}

    def read(self, line: str) -> dict[str, Any] | None:
        if line:
            name, _, value = line.partition(":")
            self._fields[name] = value.strip()
            return None
        fields, self._fields = self._fields, {}
        if "id" in fields:
            self.last = int(fields["id"])
        if "event" not in fields:
            return None
        return {"id": self.last, "event": fields["event"], "data": json.loads(fields["data"])}

    def tells(self, line: str, job_id: str, ends_at: float) -> bool:
        """Whether the line ends an event of the job, or comes late enough to look at its state."""
        event = self.read(line)
        is_of_job = event is not None and event["data"].get("job_id") == job_id
        return is_of_job or time.monotonic() >= ends_at


class Listener:
    """The events of one wait. Guests have none."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http
        self._has_none = "Authorization" not in http.headers
        self._response: httpx.Response | None = None
        self._lines: Iterator[str] = iter(())
        self._read = Lines()

    def listen(self, step: Listen) -> bool:
        if self._response is None:
            return self._open()
        ends_at = time.monotonic() + step.seconds
        try:
            if any(self._read.tells(line, step.job_id, ends_at) for line in self._lines):
                return True
        except httpx.TransportError:
            pass
        self.close()
        return False

    def _open(self) -> bool:
        if self._has_none:
            return False
        try:
            response = self._http.send(stream_request(self._http), stream=True)
        except httpx.TransportError:
            return False
        self._response = response
        self._lines = response.iter_lines()
        if response.status_code != 200:
            self._has_none = True
            self.close()
        return not self._has_none

    def close(self) -> None:
        if self._response is not None:
            self._response.close()
        self._response = None


class AsyncListener:
    """The same for asyncio."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http
        self._has_none = "Authorization" not in http.headers
        self._response: httpx.Response | None = None
        self._lines: AsyncIterator[str] | None = None
        self._read = Lines()

    async def listen(self, step: Listen) -> bool:
        if self._response is None or self._lines is None:
            return await self._open()
        ends_at = time.monotonic() + step.seconds
        try:
            async for line in self._lines:
                if self._read.tells(line, step.job_id, ends_at):
                    return True
        except httpx.TransportError:
            pass
        await self.close()
        return False

    async def _open(self) -> bool:
        if self._has_none:
            return False
        try:
            response = await self._http.send(stream_request(self._http), stream=True)
        except httpx.TransportError:
            return False
        self._response = response
        self._lines = response.aiter_lines()
        if response.status_code != 200:
            self._has_none = True
            await self.close()
        return not self._has_none

    async def close(self) -> None:
        if self._response is not None:
            await self._response.aclose()
        self._response = None


def events_of(http: httpx.Client, after: int | None) -> Iterator[dict[str, Any]]:
    lines = Lines()
    lines.last = after
    while True:
        response = http.send(stream_request(http, lines.last), stream=True)
        try:
            if response.status_code != 200:
                response.read()
                raise refusal_of(response)
            for line in response.iter_lines():
                event = lines.read(line)
                if event is not None:
                    yield event
        except httpx.TransportError:
            continue
        finally:
            response.close()


async def async_events_of(http: httpx.AsyncClient, after: int | None) -> AsyncIterator[dict[str, Any]]:
    lines = Lines()
    lines.last = after
    while True:
        response = await http.send(stream_request(http, lines.last), stream=True)
        try:
            if response.status_code != 200:
                await response.aread()
                raise refusal_of(response)
            async for line in response.aiter_lines():
                event = lines.read(line)
                if event is not None:
                    yield event
        except httpx.TransportError:
            continue
        finally:
            await response.aclose()
