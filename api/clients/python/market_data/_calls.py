"""Calls without input and output: what to send, how long to wait, and how to read an answer.

A call is a generator of `Send`, `Sleep`, and `Listen`. The synchronous and the asynchronous client execute these, each in its own way, and
send back the answer, so that retries, jobs, and pages are implemented once.
"""

from __future__ import annotations

import json
import random
import re
import time
import uuid
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from ._errors import ApiError, ConnectionLost, Failure, JobFailed, TimedOut, api_error
from ._days import day_of
from ._models import JobState, job_state_of
from ._progress import FIRST_S, Bar, bar_of
from ._warnings import warn

T = TypeVar("T")

#: For a call with all its tries, in seconds.
CALL_TIMEOUT_S = 120.0
#: For a whole job, in seconds.
JOB_TIMEOUT_S = 3600.0
#: Longer than the service lets any call wait.
TRY_TIMEOUT_S = 60.0
#: The longest wait for a change of a job that the service accepts.
MAX_WAIT_S = 30
MAX_RETRIES = 8
FIRST_WAIT_S = 0.25
MAX_BACKOFF_S = 10.0
IN_PROGRESS_WAIT_S = 2.0
#: The random part of a wait that the service named, which spreads callers that were refused at the same time.
SPREAD = 0.1
PAGE_SIZE = 100
_TRANSIENT = frozenset({502, 503, 504})
#: An earlier try of the call is still in progress, or its process died and the key stays claimed for half a minute.
_IN_PROGRESS = "error.idempotency_in_progress"


@dataclass(frozen=True)
class Send:
    """One try of a call."""

    method: str
    path: str
    body: Any
    headers: dict[str, str]
    timeout_s: float


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Listen:
    """Opens the events of the account, or waits for the next one of the job. The outcome is whether its state is to be read at once."""

    job_id: str
    seconds: float


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    content: bytes


@dataclass(frozen=True)
class Lost:
    """No answer. `is_unsent`: the connection was never made, so that the service did not receive the call. `is_away`: nothing has ever
    answered at the address, so that it is rather wrong than a service that restarts."""

    error: Exception
    is_unsent: bool
    address: str
    is_away: bool


Steps = Generator["Send | Sleep | Listen", "Answer | Lost | bool | None", T]


@dataclass(frozen=True)
class Request:
    """A call with all its tries. `is_repeatable`: repeating it has no further effect."""

    method: str
    path: str
    query: dict[str, Any] = field(default_factory=dict)
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    is_repeatable: bool = True


def get(path: str, **query: Any) -> Request:
    return Request("GET", path, query)


def post(path: str, body: Any, *, reads: bool = False, headers: dict[str, str] | None = None) -> Request:
    """A POST. If it creates something, it has an idempotency key, so that it can be repeated safely."""
    keyed = {} if reads else {"Idempotency-Key": str(uuid.uuid4())}
    return Request("POST", path, {}, body, {**keyed, **(headers or {})})


def segment(text: object) -> str:
    """Text as one segment of a path."""
    return quote(str(text), safe="")


def data_of(request: Request, timeout_s: float | None = None) -> Steps[Any]:
    """The `data` of the answer."""
    return json.loads((yield from content_of(request, timeout_s)))["data"]


def content_of(request: Request, timeout_s: float | None = None) -> Steps[bytes]:
    """The content of the answer, after as many tries as are safe and fit into the timeout."""
    timeout_s = CALL_TIMEOUT_S if timeout_s is None else timeout_s
    ends_at = time.monotonic() + timeout_s
    path = request.path + _query_text(request.query)
    tries = 0
    while True:
        tries += 1
        left_s = ends_at - time.monotonic()
        try_s = max(0.001, min(left_s, TRY_TIMEOUT_S))
        outcome = yield Send(request.method, path, request.body, request.headers, try_s)
        assert not isinstance(outcome, bool)
        if isinstance(outcome, Answer):
            _warn_of_deprecation(outcome, request)
            if outcome.status < 300:
                return outcome.content
        error = _error_of(outcome, request)
        wait_s = wait_before_retry(outcome, error, tries, request.is_repeatable, random.random())
        # If the wait would exceed the timeout, the caller gets the error at once.
        if wait_s is None or time.monotonic() + wait_s >= ends_at:
            raise error
        yield Sleep(wait_s)


_warned: set[str] = set()


def _warn_of_deprecation(answer: Answer, request: Request) -> None:
    """Warns at the first call of a deprecated operation."""
    if "deprecation" not in answer.headers or request.path in _warned:
        return
    _warned.add(request.path)
    link = re.search(r"<([^>]+)>", answer.headers.get("link", ""))
    end = f"; it may be removed after {answer.headers['sunset']}" if "sunset" in answer.headers else ""
    more = f": {link.group(1)}" if link else ""
    # Python shows a FutureWarning to users; a DeprecationWarning is for developers of libraries.
    warn(f"{request.method} {request.path} is deprecated{end}{more}", FutureWarning)


def _query_text(query: dict[str, Any]) -> str:
    given = {name: _word(value) for name, value in query.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return day_of(value) or str(value)


def _error_of(outcome: Answer | Lost | None, request: Request) -> Exception:
    if isinstance(outcome, Lost):
        place = f"nothing answers at {outcome.address}" if outcome.is_unsent else f"the connection to {outcome.address} broke"
        reason = str(outcome.error) or type(outcome.error).__name__
        lost = ConnectionLost(f"{request.method} {request.path}: {place} ({reason})")
        lost.__cause__ = outcome.error
        return lost
    assert outcome is not None
    return api_error(failure_of(outcome))


def failure_of(answer: Answer) -> Failure:
    """The failure in an answer. A failure that is not from the service, but from a proxy, has no key."""
    try:
        body = json.loads(answer.content)
    except ValueError:
        body = None
    error = body if isinstance(body, dict) and isinstance(body.get("key"), str) else {}
    after = answer.headers.get("retry-after", "")
    return Failure(
        status=answer.status,
        message=error.get("message", f"status {answer.status}"),
        key=error.get("key"),
        request_id=answer.headers.get("x-request-id"),
        detail=error.get("detail", []),
        retry_after=float(after) if after.isdigit() else None,
    )


def wait_before_retry(
    outcome: Answer | Lost | None, error: Exception, tries: int, is_repeatable: bool, random_share: float
) -> float | None:
    """Seconds to wait before the call is sent again; None: it is not. `random_share` is uniform in [0, 1)."""
    if not _can_pass(outcome, error, is_repeatable):
        return None
    is_in_progress = isinstance(error, ApiError) and error.key == _IN_PROGRESS
    if tries > MAX_RETRIES and not is_in_progress:
        return None
    longest = IN_PROGRESS_WAIT_S if is_in_progress else MAX_BACKOFF_S
    named = error.retry_after if isinstance(error, ApiError) else None
    if named is None:
        return min(longest, FIRST_WAIT_S * 2.0 ** (tries - 1)) * (0.5 + random_share / 2)
    return named + random_share * max(FIRST_WAIT_S, named * SPREAD)


def _can_pass(outcome: Answer | Lost | None, error: Exception, is_repeatable: bool) -> bool:
    if isinstance(outcome, Lost):
        return not outcome.is_away and (is_repeatable or outcome.is_unsent)
    assert isinstance(error, ApiError)
    if error.status == 429:  # Refused before it had any effect.
        return True
    return is_repeatable and (error.status in _TRANSIENT or error.key == _IN_PROGRESS)


def result_of(
    path: str, timeout_s: float | None = None, on_progress: Callable[[JobState], None] | None = None
) -> Steps[Any]:
    """The result of a job, once it has one. The job continues after the timeout. Without `on_progress`, long work shows a bar."""
    bar = bar_of(path.split("/")[2]) if on_progress is None else None
    try:
        return (yield from _awaited(path, JOB_TIMEOUT_S if timeout_s is None else timeout_s, on_progress, bar))
    finally:
        if bar is not None:
            bar.close()


def _awaited(
    path: str, timeout_s: float, on_progress: Callable[[JobState], None] | None, bar: Bar | None
) -> Steps[Any]:
    ends_at = time.monotonic() + timeout_s
    # The first wait is short, so that a bar appears while nothing changes, and short jobs need no events.
    wait_s: float = FIRST_S
    is_told = False
    reported: JobState | None = None
    while True:
        left_s = ends_at - time.monotonic()
        job_id = path.rsplit("/", 1)[-1]
        if left_s <= 0:
            raise TimedOut(f"job {job_id} has no result after {timeout_s} s; the job continues")
        wait = None if is_told else max(1, int(min(wait_s, left_s)))
        state = yield from data_of(get(path, wait=wait))
        wait_s = MAX_WAIT_S
        progress = job_state_of(state)
        if bar is not None:
            bar.update(progress)
        if on_progress is not None and progress != reported:
            on_progress(progress)
        reported = progress
        if state.get("result") is not None:
            return state["result"]
        if state["error"] is not None:
            raise JobFailed(job_id, state["error"]["message"], state["error"].get("key"))
        if state["status"] == "done":
            return state
        # Near the end of the time, a call that waits ends sooner than a stream is read.
        is_told = left_s > MAX_WAIT_S and bool((yield Listen(job_id, MAX_WAIT_S)))
