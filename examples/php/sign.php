<?php
/**
 * Signs requests to a Propgate service and sends them. PHP 8.0 or newer, without packages:
 * `php sign.php GET '/api/v1/trading/payouts?limit=10'`, with PROPGATE_KEY_ID and PROPGATE_SECRET
 * in the environment. examples/README.md lists the other arguments and variables.
 */
declare(strict_types=1);

/** The canonical string, and the value of the signature header. */
function sign(string $secret, array $methodTargetTimestampNonce, string $body): array
{
    $canonical = implode("\n", ['v1', ...$methodTargetTimestampNonce, hash('sha256', $body)]);
    // true returns bytes: without it hash_hmac returns hex.
    return [$canonical, 'v1=' . base64_encode(hash_hmac('sha256', $canonical, $secret, true))];
}

/** A timestamp and a nonce, for one request: a retry needs new ones. */
function fresh(): array
{
    $now = sprintf('%d', microtime(true) * 1000); // time() is in seconds
    $random = bin2hex(random_bytes(16));
    return [getenv('PROPGATE_TIMESTAMP') ?: $now, getenv('PROPGATE_NONCE') ?: $random];
}

/** Sends target and body unchanged. Returns the status line and the answer. */
function send(string $method, string $target, string $body): array
{
    [$timestamp, $nonce] = fresh();
    [, $signature] = sign(getenv('PROPGATE_SECRET'), [$method, $target, $timestamp, $nonce], $body);
    $brand = 'X-' . (getenv('PROPGATE_BRAND') ?: 'Service');
    $header = ["$brand-Key-Id: " . getenv('PROPGATE_KEY_ID'), "$brand-Timestamp: $timestamp",
        "$brand-Nonce: $nonce", "$brand-Signature: $signature", 'Content-Type: application/json'];
    $http = ['method' => $method, 'header' => $header, 'content' => $body, 'ignore_errors' => true];
    $url = (getenv('PROPGATE_BASE_URL') ?: 'http://127.0.0.1:8787') . $target;
    $answer = file_get_contents($url, false, stream_context_create(['http' => $http]));
    return [$http_response_header[0] ?? '', $answer];
}

if (realpath($_SERVER['SCRIPT_FILENAME']) === __FILE__) {
    $words = array_slice($argv, 1);
    $print = ($words[0] ?? '') === '--print' && array_shift($words);
    [$method, $target, $body] = $words + ['', '', ''];
    if ($target === '' || !getenv('PROPGATE_SECRET')) {
        fwrite(STDERR, "usage: php sign.php [--print] METHOD TARGET [BODY | @FILE]\n");
        fwrite(STDERR, "set PROPGATE_KEY_ID and PROPGATE_SECRET in the environment\n");
        exit(2);
    }
    $body = str_starts_with($body, '@') ? file_get_contents(substr($body, 1)) : $body;
    if ($print) {
        $signed = sign(getenv('PROPGATE_SECRET'), [$method, $target, ...fresh()], $body);
        exit(implode("\n---\n", $signed) . "\n");
    }
    [$status, $answer] = send($method, $target, $body);
    echo $answer, "\n";
    exit(str_contains($status, ' 200 ') ? 0 : 1);
}
