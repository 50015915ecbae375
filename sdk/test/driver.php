<?php

// Makes the calls that a test asks for, one JSON value a line, and tells what came of each.

declare(strict_types=1);

require getenv('CLIENT_FOLDER') . '/Cauri.php';

function take(mixed $value, int $count): mixed
{
    if ($value instanceof Traversable) {
        $rows = [];
        foreach ($value as $row) {
            $rows[] = $row;
            if (count($rows) === $count) {
                break;
            }
        }
        return $rows;
    }
    if ($value instanceof Cauri\Response) {
        return ['status' => $value->status, 'correlationId' => $value->correlationId, 'body' => $value->body];
    }
    return $value;
}

function tell(Cauri\CauriException $error): array
{
    $word = preg_replace(['/^.*\\\\/', '/Exception$/'], '', $error::class);
    return [
        'kind' => ltrim(strtolower(preg_replace('/[A-Z]/', '_$0', $word)), '_'),
        'message' => (string) $error->getMessage(),
        'dump' => print_r($error, true) . $error->getTraceAsString(),
        'isTemporary' => $error->isTemporary(),
        'code' => $error->errorCode ?? null,
        'existingId' => $error instanceof Cauri\ConflictException ? $error->existingId() : null,
    ] + get_object_vars($error);
}

while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    try {
        $steps = explode('.', $asked['call']);
        $args = $asked['args'];
        if (in_array($asked['call'], ['verify', 'explainFailure', 'sign'], true)) {
            $made = [Cauri\Webhooks::class, $asked['call']];
        } else {
            $client = new Cauri\Cauri($asked['url'], $asked['token'], $asked['client']);
            $made = [count($steps) === 1 ? $client : $client->{$steps[0]}, end($steps)];
        }
        if ($asked['call'] === 'statement.export') {
            $path = tempnam(sys_get_temp_dir(), 'cauri-');
            $type = $client->statement->export($args[0], $path, ...array_slice($args, 1));
            $value = ['contentType' => $type, 'start' => toText(substr(file_get_contents($path), 0, 200))];
            unlink($path);
        } else {
            $named = $asked['options'] === [] ? [] : ['options' => $asked['options']];
            $value = $made(...$args, ...$named);
            $value = $asked['page'] ?? false ? $value->page() : $value;
        }
        $answer = ['value' => take($value, $asked['take'])];
    } catch (Cauri\CauriException $error) {
        $answer = ['error' => tell($error)];
    }
    echo json_encode($answer, JSON_THROW_ON_ERROR | JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";
}

/** Bytes as letters of Latin-1, in UTF-8. */
function toText(string $bytes): string
{
    return preg_replace_callback('/[\x80-\xff]/', fn ($one) => chr(0xc0 | ord($one[0]) >> 6) . chr(0x80 | ord($one[0]) & 0x3f), $bytes);
}
