"""The errors with which a call can fail."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


class MarketError(Exception):
    """Every error of the client."""


@dataclass(frozen=True)
class Failure:
    """A failure as the service reports it."""

    status: int
    message: str
    key: str | None = None
    request_id: str | None = None
    detail: list[dict[str, Any]] = field(default_factory=list)
    retry_after: float | None = None


class ApiError(MarketError):
    """The service refused the call, or failed.

    Attributes:
        status: the HTTP status.
        key: stable name of the failure, such as ``error.symbol_not_found``; None for a failure of a proxy.
        request_id: for the operators of the service.
        detail: the fields of the request with problems, each with ``loc`` and ``msg``.
        retry_after: seconds to wait before the next try; None if the service does not say.
    """

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.status = failure.status
        self.key = failure.key
        self.request_id = failure.request_id
        self.detail = failure.detail
        self.retry_after = failure.retry_after


class InvalidRequest(ApiError):
    """The request is malformed: ``detail`` names the fields."""


class InvalidRule(InvalidRequest):
    """A rule of a strategy is invalid: ``detail`` has the position and what is expected there."""


class LoginRequired(ApiError):
    """The credential is missing or not valid."""


class Forbidden(ApiError):
    """The caller is not allowed to do this."""


class PlanExceeded(Forbidden):
    """The plan of the account does not include this, or not as much of it."""


class NotFound(ApiError):
    """The resource does not exist."""


class SymbolNotFound(NotFound):
    """No instrument has this symbol."""


class NoBars(ApiError):
    """The range has no bars of the instrument."""


class Conflict(ApiError):
    """The state of the resource does not allow the call."""


class Gone(ApiError):
    """It no longer exists."""


class RateLimited(ApiError):
    """A limit is reached; ``retry_after`` says how long to wait."""


class Unavailable(ApiError):
    """The service, its database, or its data is not available now."""


class ConnectionLost(MarketError):
    """There was no answer: the connection could not be made, or broke. The service may have received the call."""


class TimedOut(MarketError):
    """The time for the call, or for the job, is over."""


class JobFailed(MarketError):
    """The job ended without a result."""

    def __init__(self, job_id: str, message: str, key: str | None) -> None:
        super().__init__(message)
        self.job_id = job_id
        self.key = key


_BY_KEY: dict[str, type[ApiError]] = {
    "error.symbol_not_found": SymbolNotFound,
    "error.no_bars_in_range": NoBars,
    "error.rule_invalid": InvalidRule,
    "error.plan_capability": PlanExceeded,
    "error.quota_exceeded": PlanExceeded,
    "error.too_many_symbols": PlanExceeded,
    "error.api_keys_max": PlanExceeded,
    # A credential could help, as with 401.
    "error.login_required": LoginRequired,
}

_BY_STATUS: dict[int, type[ApiError]] = {
    400: InvalidRequest,
    401: LoginRequired,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: Gone,
    413: InvalidRequest,
    415: InvalidRequest,
    422: InvalidRequest,
    429: RateLimited,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


def api_error(failure: Failure) -> ApiError:
    """The error of a failure, as specific as its key and status allow."""
    of_key = _BY_KEY.get(failure.key or "")
    return (of_key or _BY_STATUS.get(failure.status, ApiError))(failure)
