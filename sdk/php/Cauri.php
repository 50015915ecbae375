<?php

/**
 * Cauri: send money and be paid, from PHP 8.1 or later. One file, nothing but the extensions curl and json.
 *
 *     require 'Cauri.php';
 *
 *     $cauri = new Cauri\Cauri('https://pay.example', getenv('CAURI_TOKEN'));
 *     $transfer = $cauri->transfers->create(['amount' => 5000, 'msisdn' => '2250700000000', 'reference' => 'salary-7']);
 *
 * Bodies and answers are arrays with the names of the API. Whatever is thrown is a CauriException. OutcomeUnknownException means
 * that the money may have moved or not: make the same call again with its idempotencyKey, and it will not happen twice.
 */

declare(strict_types=1);

namespace Cauri;

use Closure;
use Generator;
use IteratorAggregate;
use RuntimeException;
use SensitiveParameter;
use Throwable;

const VERSION = '0.1.0';

// Exceptions

/** Whatever this file throws. */
abstract class CauriException extends RuntimeException
{
    /** @param ?string $correlationId names the request in the service's log */
    public function __construct(string $message, public readonly ?string $correlationId = null, ?Throwable $cause = null)
    {
        parent::__construct($message, 0, $cause);
    }

    /** The same call may be made again, and may succeed then. Never where the outcome is unknown: that takes its key. */
    public function isTemporary(): bool
    {
        return false;
    }
}

/** The call cannot be made like this; nothing was sent. */
final class InvalidArgumentException extends CauriException
{
}

/** The service refused, in its own words. Nothing was done. */
abstract class ApiException extends CauriException
{
    /** A stable word; new ones may be added. */
    public readonly string $errorCode;
    /** What was wrong with which field, and with which row of a batch. */
    public readonly array $details;
    /** Where the code is explained. */
    public readonly ?string $docUrl;

    /** @param ?float $retryAfter how many seconds the service asked to wait */
    public function __construct(public readonly int $status, array $body, public readonly ?float $retryAfter, string $correlationId)
    {
        parent::__construct($body['message'], $correlationId);
        $this->errorCode = $body['code'];
        $details = $body['details'] ?? [];
        $this->details = is_array($details) ? array_values(array_filter($details, is_array(...))) : [];
        $this->docUrl = is_string($body['docUrl'] ?? null) ? $body['docUrl'] : null;
    }
}

/** 400 and its like: something in the request is missing or not valid. */
final class InvalidRequestException extends ApiException
{
}

/** 401: the access token is missing or not valid. */
final class AuthenticationException extends ApiException
{
}

/** The balance does not cover it. */
final class InsufficientFundsException extends ApiException
{
}

/** 403: another company's id, or the account is frozen. */
final class ForbiddenException extends ApiException
{
}

/** 404: this account has no such thing. */
final class NotFoundException extends ApiException
{
}

/** 409: the reference or externalId was used before, by another request. */
final class ConflictException extends ApiException
{
    /** The transaction or charge that has it. */
    public function existingId(): ?string
    {
        foreach ($this->details as $one) {
            if (isset($one['id'])) {
                return $one['id'];
            }
        }
        return null;
    }
}

/** 422: understood, and not possible now. */
final class UnprocessableException extends ApiException
{
}

/** 422 idempotency_key_reused: the key belongs to another request. */
final class IdempotencyKeyReusedException extends ApiException
{
}

/** A refusal that passes. */
abstract class PassingApiException extends ApiException
{
    public function isTemporary(): bool
    {
        return true;
    }
}

/** 429: too many requests; `retryAfter` says how long to wait. */
final class RateLimitException extends PassingApiException
{
}

/** 503 and 408: the service cannot take the request on right now. */
final class UnavailableException extends PassingApiException
{
}

/** 500: a mistake of the service. Thrown by reads; a write throws OutcomeUnknownException instead. */
final class InternalException extends PassingApiException
{
}

/** No answer came. A write throws it only if the request never left; otherwise OutcomeUnknownException. */
class ConnectionException extends CauriException
{
    public function isTemporary(): bool
    {
        return true;
    }
}

/** No whole answer came in time. */
final class TimeoutException extends ConnectionException
{
}

/** An answer that is not the service's: another server's page, a redirect, half of a body, another request's answer. */
final class UnexpectedAnswerException extends CauriException
{
    public function __construct(string $message, public readonly int $status, ?string $correlationId = null)
    {
        parent::__construct($message, $correlationId);
    }

    /** Half an answer, or a proxy that could not get one. A redirect or a refusal of somebody else stays. */
    public function isTemporary(): bool
    {
        return $this->status >= 500 || ($this->status >= 200 && $this->status < 300);
    }
}

/**
 * A write was sent, and it is not known whether it took effect. Never take it for a failure. Make the same call again with its
 * `idempotencyKey`: what was done is answered again, what was not is done now.
 */
final class OutcomeUnknownException extends CauriException
{
    /** @param ?string $idempotencyKey null for calls that take none (updating, deleting, redelivering): read the thing again instead */
    public function __construct(
        public readonly ?string $idempotencyKey,
        public readonly int $attempts,
        string $correlationId,
        CauriException $last,
    ) {
        $next = $idempotencyKey === null
            ? 'Read it again to see.'
            : "Make the same call again with ['idempotencyKey' => '$idempotencyKey']: it will not happen twice.";
        parent::__construct("It is not known whether this request took effect. $next ({$last->getMessage()})", $correlationId, $last);
    }
}

/** Waiting is over and it is still pending, or could not be read. It has not failed. */
final class NotSettledException extends CauriException
{
    /** @param ?array $last as it was when last seen */
    public function __construct(public readonly ?array $last, ?CauriException $cause)
    {
        $why = $cause === null ? '' : " ({$cause->getMessage()})";
        parent::__construct("Not settled yet; look again later.$why", $cause?->correlationId, $cause);
    }

    public function isTemporary(): bool
    {
        return true;
    }
}

/** A request that does not prove to be the service's. Answer it with 401 or 400, and without the reason. */
final class WebhookVerificationException extends CauriException
{
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}

// One attempt

/** @internal How an attempt ended. */
final class Outcome
{
    /**
     * @param ?CauriException $error null when there is an answer
     * @param bool $isRefusal whether this attempt certainly changed nothing
     * @param bool $mayPass whether another attempt may end differently
     */
    private function __construct(
        public readonly mixed $answer,
        public readonly ?CauriException $error = null,
        public readonly bool $isRefusal = false,
        public readonly bool $mayPass = false,
    ) {
    }

    public static function answered(mixed $answer): self
    {
        return new self($answer);
    }

    public static function failed(CauriException $error, bool $isRefusal, bool $mayPass): self
    {
        return new self(null, $error, $isRefusal, $mayPass);
    }

    public static function unusable(int $status, string $what, string $correlationId): self
    {
        $error = new UnexpectedAnswerException("The answer ($status) cannot be used: $what.", $status, $correlationId);
        return self::failed($error, false, $error->isTemporary());
    }
}

/** @internal What came back: a status, headers with names in lower case, and a body, or the file that it went into. */
final class Answer
{
    public int $status = 0;
    /** @var array<string, string> */
    public array $headers = [];
    public string $body = '';
}

/** @internal One request over a connection of its own. */
final class Attempt
{
    /** Above the largest answer there is, a batch of 10 000. What goes on beyond it is no answer. */
    private const BODY_BYTES_MAX = 16 * 1024 * 1024;
    private const CLASSES = [
        401 => AuthenticationException::class,
        402 => InsufficientFundsException::class,
        403 => ForbiddenException::class,
        404 => NotFoundException::class,
        408 => UnavailableException::class,
        409 => ConflictException::class,
        422 => UnprocessableException::class,
        429 => RateLimitException::class,
        503 => UnavailableException::class,
    ];

    /**
     * @param list<string> $headers as curl takes them
     * @param ?resource $file where the body of a success goes; then silence, and not time, ends it
     */
    public function __construct(
        private readonly string $method,
        private readonly string $url,
        private readonly array $headers,
        private readonly ?string $body,
        private readonly string $correlationId,
        private readonly float $timeout,
        private readonly ?string $caFile,
        private $file = null,
    ) {
    }

    /** @param Closure(Answer): Outcome $read of a success */
    public function make(Closure $read): Outcome
    {
        $answer = new Answer();
        $curl = curl_init();
        curl_setopt_array($curl, $this->options($answer));
        curl_exec($curl);
        $failure = curl_errno($curl);
        if ($failure !== 0) {
            return $this->lost($failure, curl_error($curl), $answer, $this->isNeverSent($curl));
        }
        $echo = $answer->headers['x-correlation-id'] ?? null;
        if ($echo !== null && $echo !== $this->correlationId) {
            return Outcome::unusable($answer->status, 'it is the answer to another request', $this->correlationId);
        }
        if ($answer->status >= 200 && $answer->status < 300) {
            return $read($answer);
        }
        // The token goes to the address that was given, and nowhere else.
        if ($answer->status < 400) {
            return Outcome::unusable($answer->status, 'a redirect, which is not followed', $this->correlationId);
        }
        return $this->refused($answer);
    }

    private function options(Answer $answer): array
    {
        $milliseconds = max(1, (int) ceil($this->timeout * 1000));
        $options = [
            CURLOPT_URL => $this->url,
            CURLOPT_CUSTOMREQUEST => $this->method,
            CURLOPT_HTTPHEADER => $this->headers,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_SSL_VERIFYPEER => true,
            CURLOPT_SSL_VERIFYHOST => 2,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_CONNECTTIMEOUT_MS => $milliseconds,
            // Never a connection of another call: curl sends again by itself on one that has died.
            CURLOPT_FRESH_CONNECT => true,
            CURLOPT_FORBID_REUSE => true,
            CURLOPT_HEADERFUNCTION => fn ($curl, string $line): int => $this->readHeader($answer, $line),
            CURLOPT_WRITEFUNCTION => fn ($curl, string $piece): int => $this->readPiece($answer, $piece),
        ];
        $options += $this->file === null
            ? [CURLOPT_TIMEOUT_MS => $milliseconds]
            : [CURLOPT_LOW_SPEED_LIMIT => 1, CURLOPT_LOW_SPEED_TIME => max(1, (int) ceil($this->timeout))];
        if ($this->body !== null) {
            $options[CURLOPT_POSTFIELDS] = $this->body;
        }
        if ($this->caFile !== null) {
            $options[CURLOPT_CAINFO] = $this->caFile;
        }
        return $options;
    }

    private function readHeader(Answer $answer, string $line): int
    {
        if (preg_match('~^HTTP/[\d.]+ (\d{3})~', $line, $found) === 1) {
            $answer->status = (int) $found[1];
            $answer->headers = [];
        } elseif (str_contains($line, ':')) {
            [$name, $value] = explode(':', $line, 2);
            $answer->headers[strtolower(trim($name))] ??= trim($value);
        }
        return strlen($line);
    }

    private function readPiece(Answer $answer, string $piece): int
    {
        if ($this->file !== null && $answer->status === 200) {
            return (int) fwrite($this->file, $piece);
        }
        if (strlen($answer->body) + strlen($piece) > self::BODY_BYTES_MAX) {
            return 0;
        }
        $answer->body .= $piece;
        return strlen($piece);
    }

    /** Name, connection and TLS come before the first byte of a request. */
    private function isNeverSent(\CurlHandle $curl): bool
    {
        return curl_getinfo($curl, CURLINFO_REQUEST_SIZE) === 0 && curl_getinfo($curl, CURLINFO_PRETRANSFER_TIME) <= 0;
    }

    private function lost(int $failure, string $why, Answer $answer, bool $isNeverSent): Outcome
    {
        if ($failure === CURLE_OPERATION_TIMEDOUT) {
            $error = new TimeoutException("No whole answer came within $this->timeout s.", $this->correlationId);
            return Outcome::failed($error, $isNeverSent, true);
        }
        if ($answer->status >= 200) {
            $what = $failure === CURLE_WRITE_ERROR ? 'it does not end' : 'its body could not be read';
            return Outcome::unusable($answer->status, $what, $this->correlationId);
        }
        // How TLS libraries say that what came back is no TLS at all.
        if (preg_match('/wrong.version.number|packet.length.too.long|record.layer.failure/i', $why) === 1) {
            $why = 'https was asked of an address that speaks http';
        }
        return Outcome::failed(new ConnectionException("No answer came: $why.", $this->correlationId), $isNeverSent, true);
    }

    /** What the service says no with. Only where it does not know, or has made a mistake, something may have happened. */
    private function refused(Answer $answer): Outcome
    {
        ['status' => $status, 'headers' => $headers] = (array) $answer;
        $body = parse($answer->body);
        $isOurs = is_array($body)
            && is_string($body['code'] ?? null)
            && is_string($body['message'] ?? null)
            && ($body['statusCode'] ?? null) === $status;
        if (!$isOurs) {
            return Outcome::unusable($status, 'that is no error of the service', $this->correlationId);
        }
        $class = match ($body['code']) {
            'insufficient_funds' => InsufficientFundsException::class,
            'idempotency_key_reused' => IdempotencyKeyReusedException::class,
            default => self::CLASSES[$status] ?? ($status >= 500 ? InternalException::class : InvalidRequestException::class),
        };
        return Outcome::failed(
            new $class($status, $body, readRetryAfter($headers['retry-after'] ?? null), $this->correlationId),
            $status < 500 || ($status === 503 && $body['code'] !== 'outcome_unknown'),
            $status >= 500 || $status === 429 || $status === 408,
        );
    }
}

/** @internal */
function parse(string $text): mixed
{
    return json_decode($text, true);
}

/** @internal Seconds or a date, as HTTP has it; null when it is neither. */
function readRetryAfter(?string $header): ?float
{
    if ($header === null || preg_match('/^\d{1,9}$/D', $header) === 1) {
        return $header === null ? null : (float) $header;
    }
    $date = strtotime($header);
    return $date === false ? null : max(0.0, $date - microtime(true));
}

// What may be sent

/** @internal */
function printable(string $name, #[SensitiveParameter] mixed $value): string
{
    if (!is_string($value) || preg_match('/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/D', $value) !== 1) {
        throw new InvalidArgumentException("$name must be 1 to 255 printable ASCII characters.");
    }
    return $value;
}

/** @internal */
function atLeast(float $least, string $name, mixed $value): float
{
    if (!(is_int($value) || is_float($value)) || !($value >= $least && $value < 2 ** 31)) {
        throw new InvalidArgumentException("$name must be a number from $least.");
    }
    return (float) $value;
}

/** @internal One step of a path. An empty id or a dot would lead to another address. */
function plain(string $name, string $value): string
{
    if (preg_match('/^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,99}$/D', $value) !== 1) {
        throw new InvalidArgumentException("$name must be 1 to 100 letters, digits and ._:-");
    }
    return $value;
}

/** @internal */
function newId(): string
{
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex(random_bytes(16)), 4));
}

/** @internal */
function toJson(array $body): string
{
    checkAmounts($body);
    try {
        return json_encode($body === [] ? (object) [] : $body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
    } catch (\JsonException $cause) {
        throw new InvalidArgumentException("The body is no JSON: {$cause->getMessage()}.", null, $cause);
    }
}

/** @internal Francs have no parts. What was computed as a float, or went missing, must not become another amount. */
function checkAmounts(array $body): void
{
    $rows = is_array($body['transactions'] ?? null) ? $body['transactions'] : [];
    foreach ([$body, ...array_values($rows)] as $one) {
        if (is_array($one) && array_key_exists('amount', $one) && !is_int($one['amount'])) {
            throw new InvalidArgumentException('amount must be a whole number: an int, no float, no text, not null.');
        }
    }
}

/**
 * @internal The only place where requests are sent. What may be done when no answer came:
 * - read: it changes nothing, so it is simply asked again.
 * - keyed: it is asked again under the same Idempotency-Key, and the service does it once.
 * - same: a second time changes nothing that the first did not.
 * - once: it is not asked again unless the service says that nothing was done.
 */
final class Sender
{
    private const OPTIONS = ['timeout', 'retries', 'correlationId'];
    /**
     * After an attempt whose outcome is not known, these answers under the same key are the truth about both: the service has looked.
     * Other refusals (401, 403, 429, 503) are made before it looks.
     */
    private const SETTLING = [400, 402, 404, 409, 422];

    private readonly string $base;
    /** @var list<string> */
    private readonly array $headers;
    private readonly float $timeout;
    private readonly float $retries;
    private readonly float $pauseMax;
    private readonly ?string $caFile;

    public function __construct(string $url, #[SensitiveParameter] string $token, array $options)
    {
        $known = ['companyId', 'language', 'timeout', 'retries', 'pauseMax', 'caFile'];
        self::checkOptions($options, $known);
        $parts = parse_url($url);
        $isPlain = preg_match('/^[\x21-\x7e]+$/D', $url) === 1 && is_array($parts)
            && array_diff_key($parts, ['scheme' => 1, 'host' => 1, 'port' => 1, 'path' => 1]) === [];
        if (!$isPlain || !in_array(strtolower($parts['scheme'] ?? ''), ['http', 'https'], true) || ($parts['host'] ?? '') === '') {
            throw new InvalidArgumentException('url must be an http or https URL, without a user name.');
        }
        $this->base = rtrim($url, '/');
        $headers = ['Accept: application/json', 'Authorization: Bearer ' . printable('token', $token)];
        $headers[] = 'User-Agent: cauri-php/' . VERSION;
        // Large bodies are sent at once, and not after a question.
        $headers[] = 'Expect:';
        if (isset($options['companyId'])) {
            $headers[] = 'X-Company-Id: ' . printable('companyId', $options['companyId']);
        }
        if (isset($options['language'])) {
            $headers[] = 'Accept-Language: ' . printable('language', $options['language']);
        }
        $this->headers = $headers;
        $this->timeout = atLeast(0.001, 'timeout', $options['timeout'] ?? 30);
        $this->retries = atLeast(0, 'retries', $options['retries'] ?? 3);
        $this->pauseMax = atLeast(0, 'pauseMax', $options['pauseMax'] ?? 30);
        $this->caFile = $options['caFile'] ?? null;
    }

    /** So that whoever prints a client prints no token. */
    public function __debugInfo(): array
    {
        return ['url' => $this->base];
    }

    /**
     * @param ?string $has a field that every whole answer has
     * @param ?Closure(Answer, string): Outcome $read another way to read a success
     * @param ?resource $file where the body of a success goes
     */
    public function send(
        string $effect,
        string $method,
        string $path,
        array $options,
        array $query = [],
        ?array $body = null,
        ?string $has = 'id',
        ?Closure $read = null,
        $file = null,
    ): mixed {
        self::checkOptions($options, $effect === 'keyed' ? [...self::OPTIONS, 'idempotencyKey'] : self::OPTIONS);
        $retries = atLeast(0, 'retries', $options['retries'] ?? $this->retries);
        $timeout = atLeast(0.001, 'timeout', $options['timeout'] ?? $this->timeout);
        $key = $effect === 'keyed' ? printable('idempotencyKey', $options['idempotencyKey'] ?? newId()) : null;
        $name = plain('correlationId', $options['correlationId'] ?? newId());
        $headers = $this->headers;
        if ($body !== null) {
            $headers[] = 'Content-Type: application/json';
        }
        if ($key !== null) {
            $headers[] = "Idempotency-Key: $key";
        }
        $data = $body === null ? null : toJson($body);
        $search = http_build_query(array_filter($query, fn ($value) => $value !== null), '', '&', PHP_QUERY_RFC3986);
        $url = $this->base . $path . ($search === '' ? '' : "?$search");
        $read ??= self::jsonWith($has);
        $isUnknown = false;
        for ($attempts = 1; ; $attempts += 1) {
            $correlationId = $attempts === 1 ? $name : "$name.$attempts";
            $named = [...$headers, "X-Correlation-Id: $correlationId"];
            if ($file !== null) {
                ftruncate($file, 0);
                rewind($file);
            }
            $attempt = new Attempt($method, $url, $named, $data, $correlationId, $timeout, $this->caFile, $file);
            $outcome = $attempt->make(fn (Answer $answer): Outcome => $read($answer, $correlationId));
            $error = $outcome->error;
            if ($error === null) {
                return $outcome->answer;
            }
            $status = $error->status ?? 0;
            // A webhook that is gone after an attempt to delete it is what was asked for.
            if ($isUnknown && $method === 'DELETE' && $status === 404) {
                return null;
            }
            $isUnknown = $outcome->isRefusal ? $isUnknown && !in_array($status, self::SETTLING, true) : true;
            $asked = $error->retryAfter ?? 0.0;
            $isOver = $attempts > $retries
                || !$outcome->mayPass
                || $asked > $this->pauseMax
                || ($effect === 'once' && $isUnknown);
            if ($isOver) {
                throw $isUnknown && $effect !== 'read'
                    ? new OutcomeUnknownException($key, $attempts, $correlationId, $error)
                    : $error;
            }
            // Longer each time, and never twice the same: clients that failed together must not come back together.
            $pause = min(0.5 * 2 ** ($attempts - 1), 8.0) * (0.5 + mt_rand() / mt_getrandmax() / 2);
            pause(min(max($asked, $pause), $this->pauseMax));
        }
    }

    public function get(string $path, array $options, array $query = [], string $has = 'id'): array
    {
        return $this->send('read', 'GET', $path, $options, $query, null, $has);
    }

    public function post(string $effect, string $path, array $body, array $options, string $has = 'id'): array
    {
        return $this->send($effect, 'POST', $path, $options, [], $body, $has);
    }

    public function list(string $path, array $query, array $options): Rows
    {
        return new Rows(fn (?string $cursor): array =>
            $this->get($path, $options, ['cursor' => $cursor ?? $query['cursor'] ?? null] + $query, 'data'));
    }

    /** An object with the field that every answer of its kind has: anything else is somebody else's, or not all of it. */
    private static function jsonWith(?string $field): Closure
    {
        return static function (Answer $answer, string $correlationId) use ($field): Outcome {
            if ($field === null && $answer->status === 204) {
                return Outcome::answered(null);
            }
            $body = parse($answer->body);
            return is_array($body) && $field !== null && array_key_exists($field, $body)
                ? Outcome::answered($body)
                : Outcome::unusable($answer->status, "that is not the service's JSON", $correlationId);
        };
    }

    private static function checkOptions(array $options, array $known): void
    {
        foreach (array_diff(array_keys($options), $known) as $name) {
            throw new InvalidArgumentException("$name is no option here; there are " . implode(', ', $known) . '.');
        }
    }
}

/** @internal */
function pause(float $seconds): void
{
    usleep((int) max(0, $seconds * 1_000_000));
}

// Lists and waiting

/** A list that is read as far as it is looked at: `foreach ($list as $row)`. */
final class Rows implements IteratorAggregate
{
    /** @param Closure(?string): array $read */
    public function __construct(private readonly Closure $read)
    {
    }

    /** The first page, or the one of a cursor that was kept. */
    public function page(?string $cursor = null): array
    {
        $page = ($this->read)($cursor);
        if (!is_array($page['data'] ?? null) || !is_array($page['cursor'] ?? null)) {
            throw new UnexpectedAnswerException('That is no page of a list.', 200);
        }
        return $page;
    }

    /** Page after page, to the end. */
    public function pages(): Generator
    {
        $seen = [];
        for ($cursor = null; ; $seen[$cursor] = true) {
            $page = $this->page($cursor);
            yield $page;
            $cursor = $page['cursor']['next'] ?? null;
            if (!is_string($cursor)) {
                return;
            }
            // A list that leads back to itself would never end.
            if (isset($seen[$cursor])) {
                throw new UnexpectedAnswerException('The list goes in circles.', 200);
            }
        }
    }

    public function getIterator(): Generator
    {
        foreach ($this->pages() as $page) {
            foreach ($page['data'] as $row) {
                yield $row;
            }
        }
    }
}

/**
 * What happened, in order. With `wait` it is followed for ever; without, it ends where nothing has happened yet. Keep the
 * `sequence` of what you have handled, and go on after it.
 */
final class EventList implements IteratorAggregate
{
    /** @param Closure(array): array $read */
    public function __construct(private readonly array $query, private readonly Closure $read)
    {
    }

    /** The first page, or the one after a sequence that was kept. */
    public function page(int|string|null $after = null): array
    {
        $page = ($this->read)($after === null ? $this->query : ['after' => (string) $after] + $this->query);
        if (!is_array($page['data'] ?? null) || !is_int($page['lastSequence'] ?? null)) {
            throw new UnexpectedAnswerException('It does not tell events.', 200);
        }
        return $page;
    }

    /** Page after page; those in which nothing happened too. */
    public function pages(): Generator
    {
        for ($after = null; ; $after = $last) {
            $asked = hrtime(true);
            $page = $this->page($after);
            $last = $page['lastSequence'];
            if ($after !== null && $last < $after) {
                throw new UnexpectedAnswerException('The events go back.', 200);
            }
            yield $page;
            if (($this->query['wait'] ?? 0) == 0 && ($page['hasMore'] ?? false) !== true) {
                return;
            }
            // What stands between may not let a request wait; nobody is asked without end for that.
            if (($last === $after || $page['data'] === []) && hrtime(true) - $asked < 1e9) {
                pause(1);
            }
        }
    }

    public function getIterator(): Generator
    {
        foreach ($this->pages() as $page) {
            foreach ($page['data'] as $event) {
                yield $event;
            }
        }
    }
}

/**
 * @internal Reads until it is settled. What passes (no connection, 429, 503) is waited out; what does not is thrown.
 * @param Closure(array): array $read
 */
function waitUntil(Closure $read, string $pending, float $timeout): array
{
    $end = hrtime(true) / 1e9 + atLeast(0.001, 'timeout', $timeout);
    $last = null;
    for ($pause = 0.2; ; $pause = min($pause * 1.5, 5.0)) {
        $error = null;
        try {
            // One read that hangs must not use up the whole wait.
            $last = $read(['retries' => 0, 'timeout' => min(10.0, max(0.001, $end - hrtime(true) / 1e9))]);
            if (($last['status'] ?? null) !== $pending) {
                return $last;
            }
        } catch (CauriException $error) {
            if (!$error->isTemporary()) {
                throw $error;
            }
        }
        $left = $end - hrtime(true) / 1e9;
        if ($left <= 0) {
            throw new NotSettledException($last, $error);
        }
        pause(min($left, max($pause, $error?->retryAfter ?? 0.0)));
    }
}

// Resources. Each method takes options as its last argument: timeout, retries, correlationId; those that create or move something
// take idempotencyKey too. Times are in seconds.

/** Money sent to people: the API's transactions. */
final class Transfers
{
    public function __construct(private readonly Sender $sender)
    {
    }

    /** Sends money to one person. The reference pays once, for ever. */
    public function create(array $transfer, array $options = []): array
    {
        return $this->sender->post('keyed', '/v1/transactions', $transfer + ['type' => 'transfer'], $options);
    }

    public function get(string $id, array $options = []): array
    {
        return $this->sender->get('/v1/transactions/' . plain('id', $id), $options);
    }

    /** Newest first. */
    public function list(array $query = [], array $options = []): Rows
    {
        return $this->sender->list('/v1/transactions', $query, $options);
    }

    /** Those of up to 1 000 references that were sent; what is not among them was not. */
    public function lookUp(array $references, array $options = []): array
    {
        $body = ['references' => array_values($references)];
        return $this->sender->post('read', '/v1/transactions/lookup', $body, $options, 'data')['data'];
    }

    /** Waits until it is completed or failed. NotSettledException does not mean that it failed. */
    public function waitUntilSettled(string $id, float $timeout = 60): array
    {
        return waitUntil(fn (array $once): array => $this->get($id, $once), 'pending', $timeout);
    }
}

/** Transfers that are accepted together or not at all. */
final class Batches
{
    public function __construct(private readonly Sender $sender)
    {
    }

    public function create(array $batch, array $options = []): array
    {
        return $this->sender->post('keyed', '/v1/transactions/batch', $batch, $options);
    }

    public function get(string $id, array $options = []): array
    {
        return $this->sender->get('/v1/batches/' . plain('id', $id), $options);
    }

    public function list(array $query = [], array $options = []): Rows
    {
        return $this->sender->list('/v1/batches', $query, $options);
    }

    /** Its transfers, for instance those that failed. */
    public function transfers(string $id, array $query = [], array $options = []): Rows
    {
        return $this->sender->list('/v1/batches/' . plain('id', $id) . '/transactions', $query, $options);
    }

    /** Waits until every transfer of it has ended. */
    public function waitUntilSettled(string $id, float $timeout = 60): array
    {
        return waitUntil(fn (array $once): array => $this->get($id, $once), 'processing', $timeout);
    }
}

/** Requests to be paid. */
final class Charges
{
    public function __construct(private readonly Sender $sender)
    {
    }

    /** Send the payer to its `paymentUrl`. */
    public function create(array $charge, array $options = []): array
    {
        return $this->sender->post('keyed', '/v1/charges', $charge, $options);
    }

    public function get(string $id, array $options = []): array
    {
        return $this->sender->get('/v1/charges/' . plain('id', $id), $options);
    }

    public function list(array $query = [], array $options = []): Rows
    {
        return $this->sender->list('/v1/charges', $query, $options);
    }

    /** Gives the money back, in part or all that is left. A refund has no reference: keep its idempotencyKey. */
    public function refund(string $id, array $refund = [], array $options = []): array
    {
        // An amount that went missing on its way here must not become a refund of everything.
        if (array_key_exists('amount', $refund) && (!is_int($refund['amount']) || $refund['amount'] < 1)) {
            throw new InvalidArgumentException('amount must be a whole number from 1. Leave it out to refund all that is left.');
        }
        return $this->sender->post('keyed', '/v1/charges/' . plain('id', $id) . '/refund', $refund, $options);
    }

    /** Simulates a payment. Staging only. */
    public function pay(string $id, array $payment, array $options = []): array
    {
        return $this->sender->post('keyed', '/v1/charges/' . plain('id', $id) . '/pay', $payment, $options);
    }
}

/** The people behind phone numbers. */
final class Customers
{
    public function __construct(private readonly Sender $sender)
    {
    }

    /** Who has this number; `kycStatus` is "unknown" when nobody has. */
    public function check(string $msisdn, array $query = [], array $options = []): array
    {
        return $this->sender->get('/v1/transactions/customers/check', $options, ['msisdn' => $msisdn] + $query, 'kycStatus');
    }

    /** The same for many numbers, with what each can receive. */
    public function checkMany(array $msisdns, array $options = []): array
    {
        return $this->sender->post('read', '/v1/customers/check', ['msisdns' => array_values($msisdns)], $options, 'data')['data'];
    }
}

/** On whose behalf money is sent and asked for. */
final class SubCompanies
{
    public function __construct(private readonly Sender $sender)
    {
    }

    public function create(array $subCompany, array $options = []): array
    {
        return $this->sender->post('keyed', '/v1/sub-companies', $subCompany, $options);
    }

    public function get(string $id, array $options = []): array
    {
        return $this->sender->get('/v1/sub-companies/' . plain('id', $id), $options);
    }

    public function list(array $query = [], array $options = []): Rows
    {
        return $this->sender->list('/v1/sub-companies', $query, $options);
    }

    /** Changes the fields that are given. */
    public function update(string $id, array $fields, array $options = []): array
    {
        return $this->sender->send('same', 'PUT', '/v1/sub-companies/' . plain('id', $id), $options, [], $fields);
    }
}

/** What changed the balance. */
final class Statement
{
    public function __construct(private readonly Sender $sender)
    {
    }

    /** Its lines, oldest first. Each of `pages()` has the balances and totals of all of it. */
    public function lines(array $query = [], array $options = []): Rows
    {
        return $this->sender->list('/v1/statement', $query, $options);
    }

    /** The signed days, newest first. Keep them somewhere else than with the operator. */
    public function seals(array $query = [], array $options = []): Rows
    {
        return $this->sender->list('/v1/statement/seals', $query, $options);
    }

    /**
     * The statement as a file: csv, xlsx or pdf. It stands at `$path` when all of it came, and not before. `timeout` is the longest
     * silence while it comes. It gives the type of the file.
     */
    public function export(string $format, string $path, array $query = [], array $options = []): string
    {
        if (!in_array($format, ['csv', 'xlsx', 'pdf'], true)) {
            throw new InvalidArgumentException('format must be csv, xlsx or pdf.');
        }
        $part = "$path.part";
        $file = @fopen($part, 'wb');
        if ($file === false) {
            throw new InvalidArgumentException("$part cannot be written.");
        }
        try {
            $read = static fn (Answer $answer): Outcome => Outcome::answered($answer->headers['content-type'] ?? '');
            $type = $this->sender->send('read', 'GET', "/v1/statement.$format", $options, $query, read: $read, file: $file);
            fclose($file);
            if (!rename($part, $path)) {
                throw new InvalidArgumentException("$path cannot be written.");
            }
            return $type;
        } finally {
            if (is_resource($file)) {
                fclose($file);
            }
            if (is_file($part)) {
                unlink($part);
            }
        }
    }
}

/** Who is told of what. `verify`, `explainFailure` and `sign` need no token: they are static. */
final class Webhooks
{
    private const SIGNATURES_MAX = 10;
    private const COMPACT = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS;
    private const MESSAGES = [
        'nothing' => 'Nothing is wrong: the signature matches.',
        'reserialised_body' => 'The body was parsed and written anew, so its bytes are others. Take the raw body, before any parser.',
        'changed_whitespace' => 'Whitespace was changed: a line break at the end, indentation. Take the raw body.',
        'changed_encoding' => 'The body was read in another encoding than UTF-8. Take its bytes as they came.',
        'hex_signature' => 'The signature is in hexadecimal; it has to be Base64.',
        'altered_secret' => 'The secret key is not as it was shown: look for spaces, quotes, a missing sk_.',
        'token_as_secret' => 'That is the access token (at_…); notifications are signed with the secret key (sk_…).',
        'changed_headers' => 'Body and secret key are right; webhook-id, webhook-timestamp or webhook-signature was changed on the way.',
        'wrong_secret' => 'The body looks as it was sent, so the secret key is another one: old, or of another company or environment.',
        'changed_body' => 'The body is not what was sent, or the secret key is another one.',
    ];
    private const ADVICE = [
        'missing_header' => ' Did a proxy take it away?',
        'too_old' => ' It was played again, waited somewhere, or this clock is wrong.',
        'too_new' => ' This clock is wrong.',
    ];

    public function __construct(private readonly Sender $sender)
    {
    }

    public function create(array $webhook, array $options = []): array
    {
        return $this->sender->post('keyed', '/v1/webhooks', $webhook, $options);
    }

    public function get(string $id, array $options = []): array
    {
        return $this->sender->get('/v1/webhooks/' . plain('id', $id), $options);
    }

    public function list(array $query = [], array $options = []): Rows
    {
        return $this->sender->list('/v1/webhooks', $query, $options);
    }

    public function delete(string $id, array $options = []): void
    {
        $this->sender->send('same', 'DELETE', '/v1/webhooks/' . plain('id', $id), $options, has: null);
    }

    /** The same events for whoever no webhook reaches; with `wait` they are followed for ever. */
    public function events(array $query = [], array $options = []): EventList
    {
        // Longer than the service may wait before it answers.
        $options += ['timeout' => (int) ($query['wait'] ?? 0) + 30];
        return new EventList($query, fn (array $some): array => $this->sender->get('/v1/events', $options, $some, 'lastSequence'));
    }

    /** What was sent to it, with every attempt. */
    public function deliveries(string $id, array $query = [], array $options = []): Rows
    {
        return $this->sender->list('/v1/webhooks/' . plain('id', $id) . '/deliveries', $query, $options);
    }

    /** Sends a delivery again. Repeated only where the service says that it did nothing. */
    public function redeliver(string $id, string $deliveryId, array $options = []): array
    {
        $path = '/v1/webhooks/' . plain('id', $id) . '/deliveries/' . plain('deliveryId', $deliveryId) . '/redeliver';
        return $this->sender->post('once', $path, [], $options);
    }

    /**
     * The notification, if it is the service's: signed with the secret (or one of several) and sent just now. Give it the body as it
     * came, `file_get_contents('php://input')`, and the headers: getallheaders() or $_SERVER. It gives topic, data, id (the same in
     * every attempt: pass over what you have handled) and sentAt, in seconds since 1970.
     *
     * @param string|list<string> $secret
     * @param array{tolerance?: int, now?: int, signatureHeader?: string} $options
     */
    public static function verify(mixed $rawBody, array $headers, #[SensitiveParameter] string|array $secret, array $options = []): array
    {
        $secrets = self::readSecrets($secret);
        $proof = self::readProof($headers, $options);
        if (!is_string($rawBody)) {
            throw new WebhookVerificationException('parsed_body', 'The body was parsed already; verify the bytes as they came.');
        }
        $signatures = array_map(self::fromBase64(...), $proof['signatures']);
        if (!self::isSigned($secrets, $proof['prefix'], $rawBody, $signatures)) {
            throw new WebhookVerificationException('no_match', 'No signature matches; Webhooks::explainFailure says why.');
        }
        // The time is judged last: only of a request that is signed it says something.
        if ($proof['prefix'] !== '') {
            self::checkAge($proof['sentAt'], $options);
        }
        $payload = parse($rawBody);
        if (!is_array($payload) || !is_string($payload['topic'] ?? null)) {
            throw new WebhookVerificationException('not_json', 'It is signed, and no notification.');
        }
        return $payload + ['id' => $proof['id'], 'sentAt' => $proof['sentAt']];
    }

    /**
     * Why `verify` refuses these arguments: reason and message, which holds no secret. It tries what usually goes wrong. The option
     * `computed` is a signature that your own code has made, to see what it did.
     *
     * @param string|list<string> $secret
     * @return array{reason: string, message: string}
     */
    public static function explainFailure(
        mixed $rawBody,
        array $headers,
        #[SensitiveParameter] string|array $secret,
        array $options = [],
    ): array {
        try {
            $secrets = self::readSecrets($secret);
            $proof = self::readProof($headers, $options);
            $reason = self::findReason($rawBody, $headers, $secrets, $proof, $options['computed'] ?? '');
            if ($reason === 'nothing' && $proof['prefix'] !== '') {
                self::checkAge($proof['sentAt'], $options);
            }
            return ['reason' => $reason, 'message' => self::MESSAGES[$reason]];
        } catch (WebhookVerificationException $error) {
            return ['reason' => $error->reason, 'message' => $error->getMessage() . (self::ADVICE[$error->reason] ?? '')];
        }
    }

    /**
     * What the service would send, body and headers, for the tests of a receiver.
     *
     * @param array{topic: string, data: array|object} $payload
     * @param string|list<string> $secret
     * @return array{0: string, 1: array<string, string>}
     */
    public static function sign(array $payload, #[SensitiveParameter] string|array $secret, array $options = []): array
    {
        $secrets = self::readSecrets($secret);
        $brand = $options['brand'] ?? 'service';
        $body = json_encode(['data' => (object) $payload['data'], 'topic' => $payload['topic']], self::COMPACT | JSON_THROW_ON_ERROR);
        $id = $options['id'] ?? newId();
        $timestamp = (string) ($options['sentAt'] ?? time());
        $made = static fn (string $one, string $prefix): string => base64_encode(self::hmac($one, $prefix, $body));
        return [$body, [
            'content-type' => 'application/json',
            'webhook-id' => $id,
            'webhook-timestamp' => $timestamp,
            'webhook-signature' => implode(' ', array_map(fn ($one) => 'v1,' . $made($one, "$id.$timestamp."), $secrets)),
            "x-$brand-hmac-sha256" => $made($secrets[0], ''),
            "x-$brand-webhook-topic" => $payload['topic'],
            ...($payload['topic'] === 'webhooks/test' ? ["x-$brand-webhook-test" => 'true'] : []),
        ]];
    }

    private static function findReason(
        mixed $rawBody,
        array $headers,
        #[SensitiveParameter] array $secrets,
        array $proof,
        string $computed,
    ): string {
        $isRaw = is_string($rawBody);
        $body = $isRaw ? $rawBody : (string) json_encode($rawBody, self::COMPACT);
        ['prefix' => $prefix, 'signatures' => $signatures] = $proof;
        $given = array_map(self::fromBase64(...), $signatures);
        if (self::isSigned($secrets, $prefix, $body, $given)) {
            $made = [self::fromHex($computed)];
            $isHex = self::isSigned($secrets, $prefix, $body, $made) || self::isSigned($secrets, '', $body, $made);
            return !$isRaw ? 'reserialised_body' : ($isHex ? 'hex_signature' : 'nothing');
        }
        if (self::isSigned($secrets, $prefix, $body, array_map(self::fromHex(...), $signatures))) {
            return 'hex_signature';
        }
        if (array_filter($secrets, fn (string $one): bool => str_starts_with($one, 'at_')) !== []) {
            return 'token_as_secret';
        }
        $variants = array_filter(array_merge(...array_map(self::variantsOfSecret(...), $secrets)), fn ($one) => $one !== '');
        if (self::isSigned($variants, $prefix, $body, $given)) {
            return 'altered_secret';
        }
        foreach (self::variantsOfBody($body) as [$reason, $variant]) {
            if (self::isSigned($secrets, $prefix, $variant, $given)) {
                return $reason;
            }
        }
        $own = array_filter(self::namesInLowerCase($headers), fn ($name) => preg_match('/^x-.+-hmac-sha256$/D', $name) === 1, ARRAY_FILTER_USE_KEY);
        if ($prefix !== '' && self::isSigned($secrets, '', $body, array_map(self::fromBase64(...), $own))) {
            return 'changed_headers';
        }
        // Nothing matched. What is left is to see whether the body has the form in which it is always sent.
        if (!$isRaw || preg_match('/^\s*\{\s*"topic"/', $body) === 1) {
            return 'reserialised_body';
        }
        if (preg_match('//u', $body) !== 1 || str_contains($body, "\u{fffd}")) {
            return 'changed_encoding';
        }
        return str_starts_with($body, '{"data":') && self::rewritten($body) === $body ? 'wrong_secret' : 'changed_body';
    }

    /** @return list<string> */
    private static function variantsOfSecret(#[SensitiveParameter] string $secret): array
    {
        $bare = preg_replace('/^(["\'])(.*)\1$/s', '$2', trim($secret)) ?? '';
        return [$bare, "sk_$bare", preg_replace('/^sk_/', '', $bare) ?? ''];
    }

    /** The body as it may have been before something happened to it. */
    private static function variantsOfBody(string $body): Generator
    {
        $bare = trim(str_starts_with($body, "\u{feff}") ? substr($body, 3) : $body);
        yield ['changed_whitespace', $bare];
        yield ['changed_whitespace', self::withoutSpaces($bare)];
        $again = self::rewritten($bare);
        if ($again !== null) {
            yield ['reserialised_body', $again];
        }
        // Read as Latin-1 and written as UTF-8, every letter beyond ASCII has become two.
        if (preg_match('/^[\x{0}-\x{ff}]*$/Du', $body) === 1) {
            yield ['changed_encoding', preg_replace_callback(
                '/[\xc2\xc3][\x80-\xbf]/',
                static fn (array $pair): string => chr(((ord($pair[0][0]) & 3) << 6) | (ord($pair[0][1]) & 63)),
                $body,
            ) ?? ''];
        }
    }

    /** Without the whitespace that stands outside of strings. One pass: whoever sends a body chooses what is in it. */
    private static function withoutSpaces(string $text): string
    {
        $isInside = false;
        return preg_replace_callback('/\\\\.|"|\s+/s', static function (array $found) use (&$isInside): string {
            $isInside = $found[0] === '"' ? !$isInside : $isInside;
            return $isInside || trim($found[0]) !== '' ? $found[0] : '';
        }, $text) ?? '';
    }

    /** As the service writes it: compact, `data` before `topic`. */
    private static function rewritten(string $text): ?string
    {
        $body = json_decode($text);
        if (!is_object($body)) {
            return null;
        }
        $fields = ['data' => $body->data ?? null, 'topic' => $body->topic ?? null] + get_object_vars($body);
        return json_encode($fields, self::COMPACT) ?: null;
    }

    /** $_SERVER has HTTP_WEBHOOK_ID for webhook-id. */
    private static function namesInLowerCase(array $headers): array
    {
        $found = [];
        foreach ($headers as $name => $value) {
            $plain = strtr(strtolower((string) $name), '_', '-');
            $first = is_array($value) ? reset($value) : $value;
            if (is_string($first)) {
                $found[str_starts_with($plain, 'http-') ? substr($plain, 5) : $plain] = $first;
            }
        }
        return $found;
    }

    private static function readProof(array $headers, array $options): array
    {
        $found = self::namesInLowerCase($headers);
        $need = static function (string $name) use ($found): string {
            if (($found[$name] ?? '') === '') {
                throw new WebhookVerificationException('missing_header', "The header $name is missing.");
            }
            return $found[$name];
        };
        $isTime = static fn (string $text): bool => preg_match('/^\d{1,12}$/D', $text) === 1;
        if (isset($options['signatureHeader'])) {
            $signatures = [$need(strtolower($options['signatureHeader']))];
            $timestamp = $found['webhook-timestamp'] ?? '';
            $sentAt = $isTime($timestamp) ? (int) $timestamp : null;
            return ['id' => $found['webhook-id'] ?? '', 'sentAt' => $sentAt, 'prefix' => '', 'signatures' => $signatures];
        }
        $entries = array_slice(explode(' ', $need('webhook-signature')), 0, self::SIGNATURES_MAX);
        $id = $need('webhook-id');
        $timestamp = $need('webhook-timestamp');
        if (!$isTime($timestamp)) {
            throw new WebhookVerificationException('malformed_header', 'webhook-timestamp is no number.');
        }
        $signed = array_filter($entries, fn (string $one): bool => str_starts_with($one, 'v1,'));
        if ($signed === []) {
            throw new WebhookVerificationException('malformed_header', 'webhook-signature has no v1 signature.');
        }
        $signatures = array_map(fn (string $one): string => substr($one, 3), $signed);
        return ['id' => $id, 'sentAt' => (int) $timestamp, 'prefix' => "$id.$timestamp.", 'signatures' => $signatures];
    }

    /** @return non-empty-list<string> */
    private static function readSecrets(#[SensitiveParameter] string|array $secret): array
    {
        $secrets = array_values((array) $secret);
        foreach ($secrets ?: [''] as $one) {
            if (!is_string($one) || $one === '') {
                throw new WebhookVerificationException('missing_secret', 'The secret key is missing or empty.');
            }
        }
        return $secrets;
    }

    private static function checkAge(int $sentAt, array $options): void
    {
        $age = ($options['now'] ?? time()) - $sentAt;
        if (abs($age) <= ($options['tolerance'] ?? 300)) {
            return;
        }
        throw $age > 0
            ? new WebhookVerificationException('too_old', "It was sent $age seconds ago.")
            : new WebhookVerificationException('too_new', 'It was sent ' . -$age . ' seconds from now.');
    }

    private static function hmac(#[SensitiveParameter] string $secret, string $prefix, string $body): string
    {
        return hash_hmac('sha256', $prefix . $body, $secret, true);
    }

    /** Compared in constant time, and all of them. */
    private static function isSigned(#[SensitiveParameter] array $secrets, string $prefix, string $body, array $signatures): bool
    {
        $isFound = false;
        foreach ($secrets as $secret) {
            $expected = self::hmac($secret, $prefix, $body);
            foreach ($signatures as $signature) {
                $isFound = ($signature !== null && hash_equals($expected, $signature)) || $isFound;
            }
        }
        return $isFound;
    }

    private static function fromBase64(string $text): ?string
    {
        $bytes = base64_decode($text, true);
        return $bytes === false ? null : $bytes;
    }

    private static function fromHex(string $text): ?string
    {
        return preg_match('/^[0-9a-f]{64}$/Di', $text) === 1 ? (string) hex2bin($text) : null;
    }
}

/** What a raw call was answered. */
final class Response
{
    /**
     * @param array<string, string> $headers with names in lower case
     * @param mixed $body of JSON its value, otherwise the text; null where there is none
     */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $correlationId,
        public readonly mixed $body,
    ) {
    }
}

/** A company's way to its account. */
final class Cauri
{
    public readonly Transfers $transfers;
    public readonly Batches $batches;
    public readonly Charges $charges;
    public readonly Customers $customers;
    public readonly SubCompanies $subCompanies;
    public readonly Statement $statement;
    public readonly Webhooks $webhooks;
    private readonly Sender $sender;

    /**
     * @param array{companyId?: string, language?: string, timeout?: float, retries?: int, pauseMax?: float, caFile?: string} $options
     */
    public function __construct(string $url, #[SensitiveParameter] string $token, array $options = [])
    {
        $sender = new Sender($url, $token, $options);
        $this->sender = $sender;
        $this->transfers = new Transfers($sender);
        $this->batches = new Batches($sender);
        $this->charges = new Charges($sender);
        $this->customers = new Customers($sender);
        $this->subCompanies = new SubCompanies($sender);
        $this->statement = new Statement($sender);
        $this->webhooks = new Webhooks($sender);
    }

    /** What can be spent now. */
    public function balance(array $options = []): array
    {
        return $this->sender->get('/v1/balance', $options, [], 'balance');
    }

    /** The account, its limits and its fees. */
    public function company(array $options = []): array
    {
        return $this->sender->get('/v1/company', $options);
    }

    /** The operator's public keys, which seals are signed with. */
    public function ledgerKeys(array $options = []): array
    {
        return $this->sender->get('/.well-known/cauri-ledger.json', $options, [], 'keys');
    }

    /** Asks anything of the API. The options take `query` and `body` too. A POST is repeated only if you give it an idempotencyKey. */
    public function request(string $method, string $path, array $options = []): Response
    {
        $effect = match ($method) {
            'GET' => 'read',
            'POST' => isset($options['idempotencyKey']) ? 'keyed' : 'once',
            'PUT', 'DELETE' => 'same',
            default => throw new InvalidArgumentException('method must be GET, POST, PUT or DELETE.'),
        };
        $dots = array_filter(explode('/', $path), fn (string $step): bool => in_array(rawurldecode($step), ['.', '..'], true));
        if ($dots !== [] || preg_match('~^/[\w.\~%!$&\'()*+,;=:@-][\w.\~%!$&\'()*+,;=:@/-]*$~D', $path) !== 1) {
            throw new InvalidArgumentException("path must begin with / and be written as it is sent; a query goes into 'query'.");
        }
        $query = $options['query'] ?? [];
        $body = $options['body'] ?? null;
        unset($options['query'], $options['body']);
        return $this->sender->send($effect, $method, $path, $options, $query, $body, read: self::readRaw(...));
    }

    private static function readRaw(Answer $answer, string $correlationId): Outcome
    {
        $isJson = preg_match('~^application/(?:[\w.-]+\+)?json\b~', $answer->headers['content-type'] ?? '') === 1;
        $text = $answer->body === '' ? null : $answer->body;
        $body = $isJson ? parse($answer->body) : $text;
        // The service names the request in each answer. What is no JSON and does not is somebody else's page.
        $isTheirs = $isJson ? $body === null : !isset($answer->headers['x-correlation-id']);
        return $isTheirs
            ? Outcome::unusable($answer->status, "that is not the service's answer", $correlationId)
            : Outcome::answered(new Response($answer->status, $answer->headers, $correlationId, $body));
    }
}
