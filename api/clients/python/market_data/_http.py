"""The settings, requests, and answers of httpx that both clients share."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

import httpx

from ._calls import Answer, Lost, Send
from ._days import day_of
from ._models import JobState

Progress = Callable[[JobState], None]

DEFAULT_URL = "http://127.0.0.1:3000"
#: Errors before anything was sent.
UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


def settings_of(url: str | None, key: str | None, language: str | None) -> dict[str, Any]:
    headers = {"X-Client-Kind": "sdk", "User-Agent": "market-data-python"}
    key = key if key is not None else os.environ.get("MARKET_API_KEY")
    if key:
        headers["Authorization"] = f"Bearer {key}"
    if language:
        headers["Accept-Language"] = language
    return {"base_url": _address_of(url), "headers": headers}


def _address_of(url: str | None) -> str:
    given = url or os.environ.get("MARKET_API_URL") or DEFAULT_URL
    parts = urlsplit(given)
    if parts.scheme in ("http", "https") and parts.hostname:
        return given
    guess = "" if "://" in given else f'; did you mean "http://{given}"?'
    raise ValueError(f'{"url" if url else "MARKET_API_URL"}: "{given}" is not an address{guess}')


def request_of(step: Send) -> dict[str, Any]:
    if step.method == "GET":
        return {"headers": step.headers, "timeout": step.timeout_s}
    is_file = isinstance(step.body, bytes)
    content = step.body if is_file else json.dumps({} if step.body is None else step.body, default=_plain)
    headers = {"Content-Type": "application/json", **step.headers}
    return {"content": content, "headers": headers, "timeout": step.timeout_s}


def _plain(value: Any) -> Any:
    """What JSON lacks: a day as YYYY-MM-DD, and the numbers and columns of numpy and pandas."""
    day = day_of(value)
    if day is not None:
        return day
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"{type(value).__name__} cannot be sent: {value!r}")


def lost_of(error: httpx.TransportError, client: httpx.Client | httpx.AsyncClient, was_reached: bool) -> Lost:
    is_unsent = isinstance(error, UNSENT)
    return Lost(error, is_unsent, str(client.base_url).rstrip("/"), is_unsent and not was_reached)


def answer_of(response: httpx.Response) -> Answer:
    return Answer(response.status_code, {k.lower(): v for k, v in response.headers.items()}, response.content)
