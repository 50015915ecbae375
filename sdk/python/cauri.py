"""Cauri: send money and be paid, from Python 3.9 or later. One file, nothing but the standard library.

    from cauri import Cauri

    cauri = Cauri("https://pay.example", token)
    transfer = cauri.transfers.create({"amount": 5000, "msisdn": "2250700000000", "reference": "salary-7"})

Bodies and answers are dictionaries with the names of the API. Whatever is raised is a CauriError. OutcomeUnknownError means that
the money may have moved or not: make the same call again with its idempotency_key, and it will not happen twice.
"""

from __future__ import annotations

import base64
import binascii
import email.utils
import hashlib
import hmac
import http.client
import json
import random
import re
import socket
import ssl
import threading
import time
import urllib.parse
import uuid
from typing import Any, Callable, Dict, Iterator, List as ListOf, Mapping, Optional, Sequence, Tuple, Union

__version__ = "0.1.0"

Json = Dict[str, Any]
Secret = Union[str, Sequence[str]]

# Above the largest answer there is, a batch of 10 000. What goes on beyond it is no answer.
_BODY_BYTES_MAX = 16 * 1024 * 1024
_PIECE_BYTES = 64 * 1024


# Errors


class CauriError(Exception):
    """Whatever this module raises. `kind` says which."""

    kind = "error"
    is_temporary = False
    """The same call may be made again, and may succeed then. Never where the outcome is unknown: that takes its key."""

    def __init__(self, message: str, correlation_id: Optional[str] = None):
        super().__init__(message)
        self.message = message
        self.correlation_id = correlation_id
        """Names the request in the service's log."""


class InvalidArgumentError(CauriError):
    """The call cannot be made like this; nothing was sent."""

    kind = "invalid_argument"


class ApiError(CauriError):
    """The service refused, in its own words. Nothing was done."""

    kind = "api"

    def __init__(self, status: int, body: Json, retry_after: Optional[float], correlation_id: str):
        super().__init__(body["message"], correlation_id)
        self.status = status
        self.code: str = body["code"]
        details = body.get("details")
        self.details: ListOf[Json] = [one for one in details if isinstance(one, dict)] if isinstance(details, list) else []
        """What was wrong with which field, and with which row of a batch."""
        self.retry_after = retry_after
        """How many seconds the service asked to wait."""
        self.doc_url: Optional[str] = body.get("docUrl")
        """Where the code is explained."""


class InvalidRequestError(ApiError):
    """400 and its like: something in the request is missing or not valid."""

    kind = "invalid_request"


class AuthenticationError(ApiError):
    """401: the access token is missing or not valid."""

    kind = "authentication"


class InsufficientFundsError(ApiError):
    """The balance does not cover it."""

    kind = "insufficient_funds"


class ForbiddenError(ApiError):
    """403: another company's id, or the account is frozen."""

    kind = "forbidden"


class NotFoundError(ApiError):
    """404: this account has no such thing."""

    kind = "not_found"


class ConflictError(ApiError):
    """409: the reference or externalId was used before, by another request."""

    kind = "conflict"

    @property
    def existing_id(self) -> Optional[str]:
        """The transaction or charge that has it."""
        return next((one["id"] for one in self.details if "id" in one), None)


class UnprocessableError(ApiError):
    """422: understood, and not possible now."""

    kind = "unprocessable"


class IdempotencyKeyReusedError(ApiError):
    """422 idempotency_key_reused: the key belongs to another request."""

    kind = "idempotency_key_reused"


class RateLimitError(ApiError):
    """429: too many requests; `retry_after` says how long to wait."""

    kind = "rate_limit"
    is_temporary = True


class UnavailableError(ApiError):
    """503 and 408: the service cannot take the request on right now."""

    kind = "unavailable"
    is_temporary = True


class InternalError(ApiError):
    """500: a mistake of the service. Raised by reads; a write raises OutcomeUnknownError instead."""

    kind = "internal"
    is_temporary = True


class ConnectionError(CauriError):
    """No answer came. A write raises it only if the request never left; otherwise OutcomeUnknownError."""

    kind = "connection"
    is_temporary = True


class TimeoutError(ConnectionError):
    """No whole answer came in time."""

    kind = "timeout"


class UnexpectedAnswerError(CauriError):
    """An answer that is not the service's: another server's page, a redirect, half of a body, another request's answer."""

    kind = "unexpected_answer"

    def __init__(self, message: str, status: int, correlation_id: Optional[str] = None):
        super().__init__(message, correlation_id)
        self.status = status
        # Half an answer, or a proxy that could not get one. A redirect or a refusal of somebody else stays.
        self.is_temporary = status >= 500 or 200 <= status < 300


class OutcomeUnknownError(CauriError):
    """A write was sent, and it is not known whether it took effect. Never take it for a failure.

    Make the same call again with `idempotency_key`: what was done is answered again, what was not is done now.
    """

    kind = "outcome_unknown"

    def __init__(self, idempotency_key: Optional[str], attempts: int, correlation_id: str, last: CauriError):
        following = (
            "Read it again to see."
            if idempotency_key is None
            else f'Make the same call again with idempotency_key="{idempotency_key}": it will not happen twice.'
        )
        super().__init__(f"It is not known whether this request took effect. {following} ({last})", correlation_id)
        self.idempotency_key = idempotency_key
        """None for calls that take none (updating, deleting, redelivering): read the thing again instead."""
        self.attempts = attempts


class NotSettledError(CauriError):
    """Waiting is over and it is still pending, or could not be read. It has not failed."""

    kind = "not_settled"
    is_temporary = True

    def __init__(self, last: Optional[Json], why: Optional[CauriError]):
        super().__init__("Not settled yet; look again later." + (f" ({why})" if why else ""))
        self.last = last
        """As it was when last seen."""


class WebhookVerificationError(CauriError):
    """A request that does not prove to be the service's. Answer it with 401 or 400, and without the reason."""

    kind = "webhook_verification"

    def __init__(self, reason: str, message: str):
        super().__init__(message)
        self.reason = reason


_ERRORS = {
    401: AuthenticationError,
    402: InsufficientFundsError,
    403: ForbiddenError,
    404: NotFoundError,
    408: UnavailableError,
    409: ConflictError,
    422: UnprocessableError,
    429: RateLimitError,
    503: UnavailableError,
}


def _to_api_error(status: int, body: Json, retry_after: Optional[float], correlation_id: str) -> ApiError:
    kind = _ERRORS.get(status, InternalError if status >= 500 else InvalidRequestError)
    if body["code"] == "insufficient_funds":
        kind = InsufficientFundsError
    elif body["code"] == "idempotency_key_reused":
        kind = IdempotencyKeyReusedError
    return kind(status, body, retry_after, correlation_id)


# One attempt


class _Failure(Exception):
    """How an attempt ended that brought no answer."""

    def __init__(self, error: CauriError, is_refusal: bool, may_pass: bool):
        super().__init__()
        self.error = error
        # Whether this attempt certainly changed nothing.
        self.is_refusal = is_refusal
        # Whether another attempt may end differently.
        self.may_pass = may_pass


class _Wire:
    """One connection for one request. It ends in time, however slowly bytes come."""

    def __init__(self, settings: "_Settings", correlation_id: str, timeout: float):
        self._correlation_id = correlation_id
        self._timeout = timeout
        self._is_late = False
        if settings.tls is None:
            self._connection = http.client.HTTPConnection(settings.host, settings.port, timeout=timeout)
        else:
            self._connection = http.client.HTTPSConnection(settings.host, settings.port, timeout=timeout, context=settings.tls)
        self._timer = threading.Timer(timeout, self._give_up)
        self._timer.daemon = True
        self.response: http.client.HTTPResponse

    def ask(self, method: str, target: str, headers: Mapping[str, str], body: Optional[bytes]) -> None:
        try:
            self._connection.connect()
        except (OSError, ValueError) as cause:
            self.close()
            why = str(cause)
            # How TLS libraries say that what came back is no TLS at all.
            if re.search("wrong.version.number|packet.length.too.long|record.layer.failure", why, re.IGNORECASE):
                why = "https was asked of an address that speaks http"
            # Nothing of the request has left: name, connection and TLS come before it.
            raise _Failure(ConnectionError(f"No connection: {why}.", self._correlation_id), True, True) from cause
        self._socket = self._connection.sock
        self._timer.start()
        try:
            self._connection.request(method, target, body=body, headers=dict(headers))
            self.response = self._connection.getresponse()
        except (OSError, http.client.HTTPException, ValueError) as cause:
            self.close()
            raise _Failure(self._lost(cause), False, True) from cause

    def read(self) -> bytes:
        """The whole body, within the time and up to the limit."""
        response = self.response
        status = response.status
        try:
            if (response.length or 0) > _BODY_BYTES_MAX:
                raise _unusable(status, "it does not end", self._correlation_id)
            expected = response.length
            pieces: ListOf[bytes] = []
            size = 0
            while True:
                piece = response.read1(_PIECE_BYTES)
                if not piece:
                    break
                size += len(piece)
                if size > _BODY_BYTES_MAX:
                    raise _unusable(status, "it does not end", self._correlation_id)
                pieces.append(piece)
            if self._is_late or (expected is not None and size < expected):
                raise OSError("half of it is missing")
            return b"".join(pieces)
        except (OSError, http.client.HTTPException, ValueError) as cause:
            if self._is_late:
                raise _Failure(self._lost(cause), False, True) from cause
            raise _unusable(status, "its body could not be read", self._correlation_id) from cause
        finally:
            self.close()

    def to_download(self, idle: float) -> "Download":
        """From here on only silence ends it."""
        self._timer.cancel()
        self._socket.settimeout(idle)
        return Download(self.response, self.close)

    def close(self) -> None:
        self._timer.cancel()
        self._connection.close()

    def _lost(self, cause: Exception) -> ConnectionError:
        # A socket that waits is told so by its own clock, or by the timer that shuts it.
        if self._is_late or isinstance(cause, socket.timeout):
            return TimeoutError(f"No whole answer came within {self._timeout:g} s.", self._correlation_id)
        return ConnectionError(f"No answer came: {cause or type(cause).__name__}.", self._correlation_id)

    def _give_up(self) -> None:
        self._is_late = True
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def _unusable(status: int, what: str, correlation_id: str) -> _Failure:
    error = UnexpectedAnswerError(f"The answer ({status}) cannot be used: {what}.", status, correlation_id)
    return _Failure(error, False, error.is_temporary)


def _parse(raw: bytes) -> Any:
    try:
        return json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


def _refuse(status: int, raw: bytes, header: Optional[str], correlation_id: str) -> _Failure:
    """What the service says no with. Only where it does not know, or has made a mistake, something may have happened."""
    body = _parse(raw)
    is_ours = (
        isinstance(body, dict)
        and isinstance(body.get("code"), str)
        and isinstance(body.get("message"), str)
        and body.get("statusCode") == status
    )
    if not is_ours:
        return _unusable(status, "that is no error of the service", correlation_id)
    return _Failure(
        _to_api_error(status, body, _read_retry_after(header), correlation_id),
        status < 500 or (status == 503 and body["code"] != "outcome_unknown"),
        status >= 500 or status in (408, 429),
    )


def _read_retry_after(header: Optional[str]) -> Optional[float]:
    if header is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", header):
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


# Settings, and what may be sent


class _Settings:
    def __init__(
        self,
        url: str,
        token: str,
        company_id: Optional[str],
        language: Optional[str],
        timeout: float,
        retries: int,
        pause_max: float,
        ca_file: Optional[str],
    ):
        try:
            parts = urllib.parse.urlsplit(url)
            host, port = parts.hostname, parts.port
        except (ValueError, AttributeError, TypeError):
            raise InvalidArgumentError("url must be an http or https URL, without a user name.") from None
        is_plain = re.fullmatch(r"[\x21-\x7e]+", url) and not parts.query and not parts.fragment
        if parts.scheme not in ("http", "https") or not host or parts.username is not None or not is_plain:
            raise InvalidArgumentError("url must be an http or https URL, without a user name.")
        self.host: str = host
        self.port = port
        self.base = parts.path.rstrip("/")
        # Names and chains are always checked; a private authority is named by its file.
        self.tls = ssl.create_default_context(cafile=ca_file) if parts.scheme == "https" else None
        self.timeout = _at_least(0.001, "timeout", timeout)
        self.retries = _at_least(0, "retries", retries)
        self.pause_max = _at_least(0, "pause_max", pause_max)
        self.headers = {
            "Accept": "application/json",
            "Authorization": f"Bearer {_printable('token', token)}",
            "Connection": "close",
            "User-Agent": f"cauri-python/{__version__}",
        }
        if company_id is not None:
            self.headers["X-Company-Id"] = _printable("company_id", company_id)
        if language is not None:
            self.headers["Accept-Language"] = _printable("language", language)


def _printable(name: str, value: str) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?", value):
        raise InvalidArgumentError(f"{name} must be 1 to 255 printable ASCII characters.")
    return value


def _at_least(least: float, name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value < 2**31:
        raise InvalidArgumentError(f"{name} must be a number from {least:g}.")
    return value


def _plain(name: str, value: str) -> str:
    """One step of a path. An empty id or a dot would lead to another address."""
    if not isinstance(value, str) or not re.fullmatch(r"\w[\w.:-]{0,99}", value, re.ASCII):
        raise InvalidArgumentError(f"{name} must be 1 to 100 letters, digits and ._:-")
    return value


def _to_json(body: Any) -> bytes:
    _check_amounts(body)
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as cause:
        raise InvalidArgumentError(f"The body is no JSON: {cause}.") from cause


def _check_amounts(body: Any) -> None:
    """Francs have no parts. What was computed as a float, or went missing, must not become another amount."""
    rows = body.get("transactions") if isinstance(body, Mapping) else None
    for one in [body, *(rows if isinstance(rows, (list, tuple)) else [])]:
        if not isinstance(one, Mapping):
            continue
        amount = one.get("amount", 0)
        if isinstance(amount, bool) or not isinstance(amount, int):
            raise InvalidArgumentError("amount must be a whole number: an int, no float, no text.")


_OPTIONS = {"timeout", "retries", "correlation_id"}
# After an attempt whose outcome is not known, these answers under the same key are the truth about both: the service has looked.
# Other refusals (401, 403, 429, 503) are made before it looks.
_SETTLING = {400, 402, 404, 409, 422}
Read = Callable[[_Wire, str], Any]


class _Sender:
    """The only place where requests are sent.

    What may be done when no answer came:
    - read: it changes nothing, so it is simply asked again.
    - keyed: it is asked again under the same Idempotency-Key, and the service does it once.
    - same: a second time changes nothing that the first did not.
    - once: it is not asked again unless the service says that nothing was done.
    """

    def __init__(self, settings: _Settings):
        self._settings = settings

    def send(
        self,
        effect: str,
        method: str,
        path: str,
        options: Mapping[str, Any],
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Any] = None,
        has: Optional[str] = "id",
        read: Optional[Read] = None,
    ) -> Any:
        settings = self._settings
        allowed = _OPTIONS | {"idempotency_key"} if effect == "keyed" else _OPTIONS
        for name in options.keys() - allowed:
            raise InvalidArgumentError(f"{name} is no option of this call; there are {', '.join(sorted(allowed))}.")
        retries = _at_least(0, "retries", options.get("retries", settings.retries))
        timeout = _at_least(0.001, "timeout", options.get("timeout", settings.timeout))
        key = _printable("idempotency_key", options.get("idempotency_key") or str(uuid.uuid4())) if effect == "keyed" else None
        name = _plain("correlation_id", options.get("correlation_id") or str(uuid.uuid4()))
        headers = dict(settings.headers)
        data = None
        if body is not None:
            data = _to_json(body)
            headers["Content-Type"] = "application/json"
        if key is not None:
            headers["Idempotency-Key"] = key
        search = urllib.parse.urlencode({k: v for k, v in (query or {}).items() if v is not None})
        target = f"{settings.base}{path}" + (f"?{search}" if search else "")
        is_unknown = False
        attempts = 0
        while True:
            attempts += 1
            correlation_id = name if attempts == 1 else f"{name}.{attempts}"
            headers["X-Correlation-Id"] = correlation_id
            try:
                return self._attempt(method, target, headers, data, correlation_id, timeout, read or _json_with(has))
            except _Failure as failure:
                error = failure.error
                status = getattr(error, "status", 0)
                # A webhook that is gone after an attempt to delete it is what was asked for.
                if is_unknown and method == "DELETE" and status == 404:
                    return None
                is_unknown = (is_unknown and status not in _SETTLING) if failure.is_refusal else True
                asked = getattr(error, "retry_after", None) or 0.0
                is_over = (
                    attempts > retries
                    or not failure.may_pass
                    or asked > settings.pause_max
                    or (effect == "once" and is_unknown)
                )
                if is_over and is_unknown and effect != "read":
                    raise OutcomeUnknownError(key, attempts, correlation_id, error) from error
                if is_over:
                    raise error from error.__cause__
            # Longer each time, and never twice the same: clients that failed together must not come back together.
            pause = min(0.5 * 2 ** (attempts - 1), 8.0) * (0.5 + random.random() / 2)
            time.sleep(min(max(asked, pause), settings.pause_max))

    def _attempt(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        data: Optional[bytes],
        correlation_id: str,
        timeout: float,
        read: Read,
    ) -> Any:
        wire = _Wire(self._settings, correlation_id, timeout)
        wire.ask(method, target, headers, data)
        response = wire.response
        status = response.status
        try:
            echo = response.getheader("x-correlation-id")
            if echo is not None and echo != correlation_id:
                raise _unusable(status, "it is the answer to another request", correlation_id)
            if 200 <= status < 300:
                return read(wire, correlation_id)
            # The token goes to the address that was given, and nowhere else.
            if status < 400:
                raise _unusable(status, "a redirect, which is not followed", correlation_id)
            raise _refuse(status, wire.read(), response.getheader("retry-after"), correlation_id)
        except BaseException:
            wire.close()
            raise

    def get(self, path: str, options: Mapping[str, Any], query: Optional[Mapping[str, Any]] = None, has: str = "id") -> Json:
        return self.send("read", "GET", path, options, query=query, has=has)

    def post(self, effect: str, path: str, body: Any, options: Mapping[str, Any], has: str = "id") -> Json:
        return self.send(effect, "POST", path, options, body=body, has=has)

    def list(self, path: str, query: Optional[Mapping[str, Any]], options: Mapping[str, Any]) -> "List":
        asked = dict(query or {})
        return List(lambda cursor: self.get(path, options, {**asked, "cursor": cursor or asked.get("cursor")}, "data"))


def _json_with(field: Optional[str]) -> Read:
    """An object with the field that every answer of its kind has: anything else is somebody else's, or not all of it."""

    def read(wire: _Wire, correlation_id: str) -> Any:
        status = wire.response.status
        raw = wire.read()
        if field is None and status == 204:
            return None
        body = _parse(raw)
        if not isinstance(body, dict) or field is None or field not in body:
            raise _unusable(status, "that is not the service's JSON", correlation_id)
        return body

    return read


class Response:
    """What a raw call was answered."""

    def __init__(self, status: int, headers: Mapping[str, str], correlation_id: str, body: Any):
        self.status = status
        self.headers = headers
        self.correlation_id = correlation_id
        self.body = body
        """Of JSON its value, otherwise the text; None where there is none."""


def _raw(wire: _Wire, correlation_id: str) -> Response:
    response = wire.response
    data = wire.read()
    headers = {name.lower(): value for name, value in response.getheaders()}
    is_json = re.match(r"application/(?:[\w.-]+\+)?json\b", headers.get("content-type", "")) is not None
    body = _parse(data) if is_json else data.decode("utf-8", "replace") or None
    # The service names the request in each answer. What is no JSON and does not is somebody else's page.
    if body is None if is_json else "x-correlation-id" not in headers:
        raise _unusable(response.status, "that is not the service's answer", correlation_id)
    return Response(response.status, headers, correlation_id, body)


# Lists, files, waiting


class List:
    """A list that is read as far as it is looked at: `for row in list`."""

    def __init__(self, read: Callable[[Optional[str]], Json]):
        self._read = read

    def page(self, cursor: Optional[str] = None) -> Json:
        """The first page, or the one of a cursor that was kept."""
        page = self._read(cursor)
        if not isinstance(page.get("data"), list) or not isinstance(page.get("cursor"), dict):
            raise UnexpectedAnswerError("That is no page of a list.", 200)
        return page

    def pages(self) -> Iterator[Json]:
        """Page after page, to the end."""
        seen = set()
        cursor = None
        while True:
            page = self.page(cursor)
            yield page
            cursor = page["cursor"].get("next")
            if not isinstance(cursor, str):
                return
            # A list that leads back to itself would never end.
            if cursor in seen:
                raise UnexpectedAnswerError("The list goes in circles.", 200)
            seen.add(cursor)

    def __iter__(self) -> Iterator[Json]:
        for page in self.pages():
            yield from page["data"]


class EventList:
    """What happened, in order. With `wait` it is followed for ever; without, it ends where nothing has happened yet.

    Keep the `sequence` of what you have handled, and go on after it.
    """

    def __init__(self, query: Mapping[str, Any], read: Callable[[Json], Json]):
        self._query = dict(query)
        self._read = read

    def page(self, after: Optional[Union[int, str]] = None) -> Json:
        """The first page, or the one after a sequence that was kept."""
        page = self._read(self._query if after is None else {**self._query, "after": str(after)})
        if not isinstance(page.get("data"), list) or not isinstance(page.get("lastSequence"), int):
            raise UnexpectedAnswerError("It does not tell events.", 200)
        return page

    def pages(self) -> Iterator[Json]:
        """Page after page; those in which nothing happened too."""
        after: Optional[int] = None
        while True:
            asked = time.monotonic()
            page = self.page(after)
            last = page["lastSequence"]
            if after is not None and last < after:
                raise UnexpectedAnswerError("The events go back.", 200)
            yield page
            if not self._query.get("wait") and not page.get("hasMore"):
                return
            # What stands between may not let a request wait; nobody is asked without end for that.
            if (last == after or not page["data"]) and time.monotonic() - asked < 1:
                time.sleep(1)
            after = last

    def __iter__(self) -> Iterator[Json]:
        for page in self.pages():
            yield from page["data"]


class Download:
    """A file as it comes: save it, or look at it piece by piece."""

    def __init__(self, response: http.client.HTTPResponse, close: Callable[[], None]):
        self._response = response
        self._close = close
        self._left = response.length
        self.content_type = response.getheader("content-type") or ""

    def __iter__(self) -> Iterator[bytes]:
        try:
            while True:
                piece = self._response.read1(_PIECE_BYTES)
                if self._left is not None:
                    self._left -= len(piece)
                if not piece:
                    break
                yield piece
            if self._left:
                raise OSError("half of it is missing")
        except socket.timeout as cause:
            raise TimeoutError("The file was silent for too long.") from cause
        except (OSError, http.client.HTTPException, ValueError) as cause:
            raise ConnectionError(f"The file broke off: {cause}.") from cause
        finally:
            self._close()

    def save(self, path: str) -> None:
        with open(path, "wb") as file:
            for piece in self:
                file.write(piece)


def _wait_until(read: Callable[..., Json], is_settled: Callable[[Json], bool], timeout: float) -> Json:
    """Reads until it is settled. What passes (no connection, 429, 503) is waited out; what does not is raised."""
    end = time.monotonic() + _at_least(0.001, "timeout", timeout)
    last: Optional[Json] = None
    pause = 0.2
    while True:
        why: Optional[CauriError] = None
        try:
            # One read that hangs must not use up the whole wait.
            last = read(retries=0, timeout=min(10.0, max(0.001, end - time.monotonic())))
            if is_settled(last):
                return last
        except CauriError as error:
            if not error.is_temporary:
                raise
            why = error
        left = end - time.monotonic()
        if left <= 0:
            raise NotSettledError(last, why) from why
        time.sleep(min(left, max(pause, getattr(why, "retry_after", None) or 0)))
        pause = min(pause * 1.5, 5.0)


# Resources


class _Resource:
    def __init__(self, sender: _Sender):
        self._sender = sender


class Transfers(_Resource):
    """Money sent to people: the API's transactions."""

    def create(self, transfer: Mapping[str, Any], **options: Any) -> Json:
        """Sends money to one person. The reference pays once, for ever."""
        return self._sender.post("keyed", "/v1/transactions", {"type": "transfer", **transfer}, options)

    def get(self, id: str, **options: Any) -> Json:
        return self._sender.get(f"/v1/transactions/{_plain('id', id)}", options)

    def list(self, query: Optional[Mapping[str, Any]] = None, **options: Any) -> List:
        """Newest first."""
        return self._sender.list("/v1/transactions", query, options)

    def look_up(self, references: Sequence[str], **options: Any) -> ListOf[Json]:
        """Those of up to 1 000 references that were sent; what is not among them was not."""
        return self._sender.post("read", "/v1/transactions/lookup", {"references": list(references)}, options, "data")["data"]

    def wait_until_settled(self, id: str, timeout: float = 60) -> Json:
        """Waits until it is completed or failed. NotSettledError does not mean that it failed."""
        return _wait_until(lambda **once: self.get(id, **once), lambda one: one.get("status") != "pending", timeout)


class Batches(_Resource):
    """Transfers that are accepted together or not at all."""

    def create(self, batch: Mapping[str, Any], **options: Any) -> Json:
        return self._sender.post("keyed", "/v1/transactions/batch", batch, options)

    def get(self, id: str, **options: Any) -> Json:
        return self._sender.get(f"/v1/batches/{_plain('id', id)}", options)

    def list(self, query: Optional[Mapping[str, Any]] = None, **options: Any) -> List:
        return self._sender.list("/v1/batches", query, options)

    def transfers(self, id: str, query: Optional[Mapping[str, Any]] = None, **options: Any) -> List:
        """Its transfers, for instance those that failed."""
        return self._sender.list(f"/v1/batches/{_plain('id', id)}/transactions", query, options)

    def wait_until_settled(self, id: str, timeout: float = 60) -> Json:
        """Waits until every transfer of it has ended."""
        return _wait_until(lambda **once: self.get(id, **once), lambda one: one.get("status") != "processing", timeout)


class Charges(_Resource):
    """Requests to be paid."""

    def create(self, charge: Mapping[str, Any], **options: Any) -> Json:
        """Send the payer to its `paymentUrl`."""
        return self._sender.post("keyed", "/v1/charges", charge, options)

    def get(self, id: str, **options: Any) -> Json:
        return self._sender.get(f"/v1/charges/{_plain('id', id)}", options)

    def list(self, query: Optional[Mapping[str, Any]] = None, **options: Any) -> List:
        return self._sender.list("/v1/charges", query, options)

    def refund(self, id: str, refund: Optional[Mapping[str, Any]] = None, **options: Any) -> Json:
        """Gives the money back, in part or all that is left. A refund has no reference: keep its idempotency_key."""
        body = dict(refund or {})
        amount = body.get("amount", 1)
        # An amount that went missing on its way here must not become a refund of everything.
        if isinstance(amount, bool) or not isinstance(amount, int) or amount < 1:
            raise InvalidArgumentError("amount must be a whole number from 1. Leave it out to refund all that is left.")
        return self._sender.post("keyed", f"/v1/charges/{_plain('id', id)}/refund", body, options)

    def pay(self, id: str, payment: Mapping[str, Any], **options: Any) -> Json:
        """Simulates a payment. Staging only."""
        return self._sender.post("keyed", f"/v1/charges/{_plain('id', id)}/pay", payment, options)


class Customers(_Resource):
    """The people behind phone numbers."""

    def check(self, msisdn: str, query: Optional[Mapping[str, Any]] = None, **options: Any) -> Json:
        """Who has this number; `kycStatus` is "unknown" when nobody has."""
        return self._sender.get("/v1/transactions/customers/check", options, {**(query or {}), "msisdn": msisdn}, "kycStatus")

    def check_many(self, msisdns: Sequence[str], **options: Any) -> ListOf[Json]:
        """The same for many numbers, with what each can receive."""
        return self._sender.post("read", "/v1/customers/check", {"msisdns": list(msisdns)}, options, "data")["data"]


class SubCompanies(_Resource):
    """On whose behalf money is sent and asked for."""

    def create(self, sub_company: Mapping[str, Any], **options: Any) -> Json:
        return self._sender.post("keyed", "/v1/sub-companies", sub_company, options)

    def get(self, id: str, **options: Any) -> Json:
        return self._sender.get(f"/v1/sub-companies/{_plain('id', id)}", options)

    def list(self, query: Optional[Mapping[str, Any]] = None, **options: Any) -> List:
        return self._sender.list("/v1/sub-companies", query, options)

    def update(self, id: str, fields: Mapping[str, Any], **options: Any) -> Json:
        """Changes the fields that are given."""
        return self._sender.send("same", "PUT", f"/v1/sub-companies/{_plain('id', id)}", options, body=fields)


class Statement(_Resource):
    """What changed the balance."""

    def lines(self, query: Optional[Mapping[str, Any]] = None, **options: Any) -> List:
        """Its lines, oldest first. Each of `pages()` has the balances and totals of all of it."""
        return self._sender.list("/v1/statement", query, options)

    def seals(self, query: Optional[Mapping[str, Any]] = None, **options: Any) -> List:
        """The signed days, newest first. Keep them somewhere else than with the operator."""
        return self._sender.list("/v1/statement/seals", query, options)

    def export(self, format: str, query: Optional[Mapping[str, Any]] = None, idle: float = 30, **options: Any) -> Download:
        """The statement as a file: csv, xlsx or pdf. `idle` is the longest silence while it comes."""
        if format not in ("csv", "xlsx", "pdf"):
            raise InvalidArgumentError("format must be csv, xlsx or pdf.")
        seconds = _at_least(0.001, "idle", idle)
        return self._sender.send(
            "read", "GET", f"/v1/statement.{format}", options, query=query, read=lambda wire, _: wire.to_download(seconds)
        )


class Webhooks(_Resource):
    """Who is told of what. `verify`, `explain_failure` and `sign` are functions of this module too."""

    def create(self, webhook: Mapping[str, Any], **options: Any) -> Json:
        return self._sender.post("keyed", "/v1/webhooks", webhook, options)

    def get(self, id: str, **options: Any) -> Json:
        return self._sender.get(f"/v1/webhooks/{_plain('id', id)}", options)

    def list(self, query: Optional[Mapping[str, Any]] = None, **options: Any) -> List:
        return self._sender.list("/v1/webhooks", query, options)

    def delete(self, id: str, **options: Any) -> None:
        self._sender.send("same", "DELETE", f"/v1/webhooks/{_plain('id', id)}", options, has=None)

    def events(self, query: Optional[Mapping[str, Any]] = None, **options: Any) -> EventList:
        """The same events for whoever no webhook reaches; with `wait` they are followed for ever."""
        asked = dict(query or {})
        # Longer than the service may wait before it answers.
        patient = {"timeout": int(asked.get("wait") or 0) + 30, **options}
        return EventList(asked, lambda some: self._sender.get("/v1/events", patient, some, "lastSequence"))

    def deliveries(self, id: str, query: Optional[Mapping[str, Any]] = None, **options: Any) -> List:
        """What was sent to it, with every attempt."""
        return self._sender.list(f"/v1/webhooks/{_plain('id', id)}/deliveries", query, options)

    def redeliver(self, id: str, delivery_id: str, **options: Any) -> Json:
        """Sends a delivery again. Repeated only where the service says that it did nothing."""
        path = f"/v1/webhooks/{_plain('id', id)}/deliveries/{_plain('delivery_id', delivery_id)}/redeliver"
        return self._sender.post("once", path, {}, options)

    @staticmethod
    def verify(*args: Any, **options: Any) -> Json:
        return verify(*args, **options)

    @staticmethod
    def explain_failure(*args: Any, **options: Any) -> Json:
        return explain_failure(*args, **options)

    @staticmethod
    def sign(*args: Any, **options: Any) -> Tuple[str, Dict[str, str]]:
        return sign(*args, **options)


class Cauri:
    """A company's way to its account. Each method takes timeout, retries and correlation_id by name; those that create or
    move something take idempotency_key too. Times are in seconds."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        company_id: Optional[str] = None,
        language: Optional[str] = None,
        timeout: float = 30,
        retries: int = 3,
        pause_max: float = 30,
        ca_file: Optional[str] = None,
    ):
        sender = _Sender(_Settings(url, token, company_id, language, timeout, retries, pause_max, ca_file))
        self._sender = sender
        self.transfers = Transfers(sender)
        self.batches = Batches(sender)
        self.charges = Charges(sender)
        self.customers = Customers(sender)
        self.sub_companies = SubCompanies(sender)
        self.statement = Statement(sender)
        self.webhooks = Webhooks(sender)

    def balance(self, **options: Any) -> Json:
        """What can be spent now."""
        return self._sender.get("/v1/balance", options, has="balance")

    def company(self, **options: Any) -> Json:
        """The account, its limits and its fees."""
        return self._sender.get("/v1/company", options)

    def ledger_keys(self, **options: Any) -> Json:
        """The operator's public keys, which seals are signed with."""
        return self._sender.get("/.well-known/cauri-ledger.json", options, has="keys")

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        **options: Any,
    ) -> Response:
        """Asks anything of the API. A POST is repeated only if you give it an idempotency_key."""
        written = "once" if options.get("idempotency_key") is None else "keyed"
        effects = {"GET": "read", "POST": written, "PUT": "same", "DELETE": "same"}
        if method not in effects:
            raise InvalidArgumentError("method must be GET, POST, PUT or DELETE.")
        steps = path.split("/") if isinstance(path, str) else []
        is_straight = all(urllib.parse.unquote(step) not in (".", "..") for step in steps)
        if not is_straight or not isinstance(path, str) or not re.fullmatch(r"/[\w.~%!$&'()*+,;=:@-][\w.~%!$&'()*+,;=:@/-]*", path, re.ASCII):
            raise InvalidArgumentError("path must begin with / and be written as it is sent; a query goes into `query`.")
        return self._sender.send(effects[method], method, path, options, query=query, body=body, read=_raw)


# Webhooks

_HEX = re.compile(r"[0-9a-fA-F]{64}")
_SIGNATURES_MAX = 10


def verify(
    raw_body: Union[bytes, str],
    headers: Mapping[str, Any],
    secret: Secret,
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
    signature_header: Optional[str] = None,
) -> Json:
    """The notification, if it is the service's: signed with the secret (or one of several) and sent just now.

    Give it the body as it came, before anything has parsed it, and the headers: any mapping, or the environ of WSGI. It answers topic,
    data, id (the same in every attempt: pass over what you have handled) and sentAt, in seconds since 1970.
    """
    secrets = _read_secrets(secret)
    proof = _read_proof(headers, signature_header)
    body = _to_bytes(raw_body)
    if body is None:
        raise WebhookVerificationError("parsed_body", "The body was parsed already; verify the bytes as they came.")
    if not _is_signed(secrets, proof["prefix"], body, [_from_base64(one) for one in proof["signatures"]]):
        raise WebhookVerificationError("no_match", "No signature matches; explain_failure says why.")
    # The time is judged last: only of a request that is signed it says something.
    if proof["prefix"]:
        _check_age(proof["sentAt"], tolerance, now)
    payload = _parse(body)
    if not isinstance(payload, dict) or not isinstance(payload.get("topic"), str):
        raise WebhookVerificationError("not_json", "It is signed, and no notification.")
    return {"id": proof["id"], "sentAt": proof["sentAt"], **payload}


def sign(payload: Mapping[str, Any], secret: Secret, *, id: Optional[str] = None, sent_at: Optional[float] = None, brand: str = "service") -> Tuple[str, Dict[str, str]]:
    """What the service would send, body and headers, for the tests of a receiver."""
    secrets = _read_secrets(secret)
    body = _compact({"data": payload["data"], "topic": payload["topic"]})
    id = id or str(uuid.uuid4())
    timestamp = str(int(time.time() if sent_at is None else sent_at))

    def made(one: str, prefix: str) -> str:
        return base64.b64encode(_hmac(one, prefix, body.encode("utf-8"))).decode("ascii")

    return body, {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(f"v1,{made(one, f'{id}.{timestamp}.')}" for one in secrets),
        f"x-{brand}-hmac-sha256": made(secrets[0], ""),
        f"x-{brand}-webhook-topic": payload["topic"],
        **({f"x-{brand}-webhook-test": "true"} if payload["topic"] == "webhooks/test" else {}),
    }


_MESSAGES = {
    "nothing": "Nothing is wrong: the signature matches.",
    "reserialised_body": "The body was parsed and written anew, so its bytes are others. Take the raw body, before any parser.",
    "changed_whitespace": "Whitespace was changed: a line break at the end, indentation. Take the raw body.",
    "changed_encoding": "The body was read in another encoding than UTF-8. Take its bytes as they came.",
    "hex_signature": "The signature is in hexadecimal; it has to be Base64.",
    "altered_secret": "The secret key is not as it was shown: look for spaces, quotes, a missing sk_.",
    "token_as_secret": "That is the access token (at_…); notifications are signed with the secret key (sk_…).",
    "changed_headers": "Body and secret key are right; webhook-id, webhook-timestamp or webhook-signature was changed on the way.",
    "wrong_secret": "The body looks as it was sent, so the secret key is another one: old, or of another company or environment.",
    "changed_body": "The body is not what was sent, or the secret key is another one.",
}
_ADVICE = {
    "missing_header": " Did a proxy take it away?",
    "too_old": " It was played again, waited somewhere, or this clock is wrong.",
    "too_new": " This clock is wrong.",
}


def explain_failure(
    raw_body: Any,
    headers: Mapping[str, Any],
    secret: Secret,
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
    signature_header: Optional[str] = None,
    computed: Optional[str] = None,
) -> Dict[str, str]:
    """Why `verify` refuses these arguments: reason and message, which holds no secret. It tries what usually goes wrong.

    `computed` is a signature that your own code has made, to see what it did.
    """
    try:
        secrets = _read_secrets(secret)
        proof = _read_proof(headers, signature_header)
        reason = _find_reason(raw_body, headers, secrets, proof, computed)
        if reason == "nothing" and proof["prefix"]:
            _check_age(proof["sentAt"], tolerance, now)
        return {"reason": reason, "message": _MESSAGES[reason]}
    except WebhookVerificationError as error:
        return {"reason": error.reason, "message": error.message + _ADVICE.get(error.reason, "")}


def _find_reason(raw_body: Any, headers: Mapping[str, Any], secrets: Sequence[str], proof: Json, computed: Optional[str]) -> str:
    raw = _to_bytes(raw_body)
    body = raw if raw is not None else _compact(raw_body).encode("utf-8")
    prefix = proof["prefix"]
    given = [_from_base64(one) for one in proof["signatures"]]
    if _is_signed(secrets, prefix, body, given):
        if raw is None:
            return "reserialised_body"
        made = [_from_hex(computed or "")]
        is_hex = _is_signed(secrets, prefix, body, made) or _is_signed(secrets, "", body, made)
        return "hex_signature" if is_hex else "nothing"
    if _is_signed(secrets, prefix, body, [_from_hex(one) for one in proof["signatures"]]):
        return "hex_signature"
    if any(one.startswith("at_") for one in secrets):
        return "token_as_secret"
    variants = [variant for one in secrets for variant in _variants_of_secret(one) if variant]
    if variants and _is_signed(variants, prefix, body, given):
        return "altered_secret"
    text = body.decode("utf-8", "replace")
    for reason, variant in _variants_of_body(text):
        if _is_signed(secrets, prefix, variant, given):
            return reason
    own = [_from_base64(value) for name, value in _all_headers(headers) if re.fullmatch(r"x-.+-hmac-sha256", name)]
    if prefix and _is_signed(secrets, "", body, own):
        return "changed_headers"
    # Nothing matched. What is left is to see whether the body has the form in which it is always sent.
    if raw is None or re.match(r'\s*\{\s*"topic"', text):
        return "reserialised_body"
    if "\ufffd" in text:
        return "changed_encoding"
    return "wrong_secret" if text.startswith('{"data":') and _rewritten(text) == text else "changed_body"


def _variants_of_secret(secret: str) -> ListOf[str]:
    bare = secret.strip()
    if len(bare) >= 2 and bare[0] in "\"'" and bare.endswith(bare[0]):
        bare = bare[1:-1]
    return [bare, f"sk_{bare}", re.sub(r"^sk_", "", bare)]


def _variants_of_body(text: str) -> Iterator[Tuple[str, bytes]]:
    """The body as it may have been before something happened to it."""
    bare = text.lstrip("\ufeff").strip()
    yield "changed_whitespace", bare.encode("utf-8")
    yield "changed_whitespace", _without_spaces(bare).encode("utf-8")
    again = _rewritten(bare)
    if again is not None:
        yield "reserialised_body", again.encode("utf-8", "replace")
    # Read as Latin-1 and written as UTF-8, every letter beyond ASCII has become two.
    if all(ord(letter) < 256 for letter in text):
        yield "changed_encoding", text.encode("latin-1")


def _without_spaces(text: str) -> str:
    """Without the whitespace that stands outside of strings. One pass: whoever sends a body chooses what is in it."""
    is_inside = False

    def kept(found: "re.Match[str]") -> str:
        nonlocal is_inside
        if found.group() == '"':
            is_inside = not is_inside
        return found.group() if is_inside or found.group().strip() else ""

    return re.sub(r'\\.|"|\s+', kept, text, flags=re.DOTALL)


def _rewritten(text: str) -> Optional[str]:
    """As the service writes it: compact, `data` before `topic`."""
    body = _parse(text.encode("utf-8", "replace"))
    if not isinstance(body, dict):
        return None
    return _compact({"data": body.get("data"), "topic": body.get("topic"), **body})


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _all_headers(headers: Mapping[str, Any]) -> Iterator[Tuple[str, str]]:
    """Names in lower case. The environ of WSGI has HTTP_WEBHOOK_ID for webhook-id."""
    for name, value in headers.items():
        plain = str(name).lower().replace("_", "-")
        first = value[0] if isinstance(value, (list, tuple)) and value else value
        if isinstance(first, (str, bytes)):
            text = first.decode("latin-1") if isinstance(first, bytes) else first
            yield (plain[5:] if plain.startswith("http-") else plain), text


def _read_proof(headers: Mapping[str, Any], signature_header: Optional[str]) -> Json:
    found = dict(_all_headers(headers))

    def need(name: str) -> str:
        if not found.get(name):
            raise WebhookVerificationError("missing_header", f"The header {name} is missing.")
        return found[name]

    if signature_header is not None:
        timestamp = found.get("webhook-timestamp", "")
        sent_at = int(timestamp) if re.fullmatch(r"[0-9]{1,12}", timestamp) else None
        signatures = [need(signature_header.lower())]
        return {"id": found.get("webhook-id", ""), "sentAt": sent_at, "prefix": "", "signatures": signatures}
    entries = need("webhook-signature").split(" ")[:_SIGNATURES_MAX]
    id, timestamp = need("webhook-id"), need("webhook-timestamp")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("malformed_header", "webhook-timestamp is no number.")
    signatures = [one[3:] for one in entries if one.startswith("v1,")]
    if not signatures:
        raise WebhookVerificationError("malformed_header", "webhook-signature has no v1 signature.")
    return {"id": id, "sentAt": int(timestamp), "prefix": f"{id}.{timestamp}.", "signatures": signatures}


def _read_secrets(secret: Secret) -> ListOf[str]:
    secrets = [secret] if isinstance(secret, str) else list(secret or [])
    if not secrets or any(not isinstance(one, str) or not one for one in secrets):
        raise WebhookVerificationError("missing_secret", "The secret key is missing or empty.")
    return secrets


def _check_age(sent_at: int, tolerance: float, now: Optional[float]) -> None:
    age = (time.time() if now is None else now) - sent_at
    if abs(age) <= tolerance:
        return
    if age > 0:
        raise WebhookVerificationError("too_old", f"It was sent {round(age)} seconds ago.")
    raise WebhookVerificationError("too_new", f"It was sent {round(-age)} seconds from now.")


def _to_bytes(body: Any) -> Optional[bytes]:
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    return bytes(body) if isinstance(body, (bytes, bytearray, memoryview)) else None


def _hmac(secret: str, prefix: str, body: bytes) -> bytes:
    return hmac.new(secret.encode("utf-8"), prefix.encode("utf-8") + body, hashlib.sha256).digest()


def _is_signed(secrets: Sequence[str], prefix: str, body: bytes, signatures: Sequence[Optional[bytes]]) -> bool:
    """Compared in constant time, and all of them."""
    is_found = False
    for secret in secrets:
        expected = _hmac(secret, prefix, body)
        for signature in signatures:
            if signature is not None and hmac.compare_digest(expected, signature):
                is_found = True
    return is_found


def _from_base64(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _from_hex(text: str) -> Optional[bytes]:
    return bytes.fromhex(text) if _HEX.fullmatch(text) else None
