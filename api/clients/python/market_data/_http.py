"""The settings, requests, and answers of httpx that both clients share."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import httpx

from ._calls import Answer, Send
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
    return {"base_url": url or os.environ.get("MARKET_API_URL") or DEFAULT_URL, "headers": headers}


def request_of(step: Send) -> dict[str, Any]:
    json = None if step.method == "GET" else (step.body if step.body is not None else {})
    return {"json": json, "headers": step.headers, "timeout": step.timeout_s}


def answer_of(response: httpx.Response) -> Answer:
    return Answer(response.status_code, {k.lower(): v for k, v in response.headers.items()}, response.content)
