import type { Samples } from "./samples.ts";

/** How a receiver tells a notification from a forgery, in every language. */
export function signatureSamples(brand: string): Samples {
  const header = `x-${brand}-hmac-sha256`;
  return {
    curl: [
      `# ${header}, of the body as it came:`,
      `openssl dgst -sha256 -hmac "$SECRET_KEY" -binary body.json | base64`,
    ].join("\n"),
    ts: [
      'import { createServer } from "node:http";',
      'import { webhooks } from "@cauri/sdk";',
      "",
      'const { SECRET_KEY: secret = "" } = process.env;',
      "",
      "createServer(async (request, response) => {",
      "  const raw = Buffer.concat(await request.toArray());",
      "  try {",
      "    const event = await webhooks.verify(raw, request.headers, secret);",
      "    console.log(event.topic, event.data);",
      "    response.writeHead(204).end();",
      "  } catch {",
      "    response.writeHead(401).end();",
      "  }",
      "}).listen(3000);",
    ].join("\n"),
    php: [
      "<?php",
      "$raw = file_get_contents('php://input');",
      "$expected = base64_encode(hash_hmac('sha256', $raw, getenv('SECRET_KEY'), true));",
      `$given = $_SERVER['HTTP_${header.toUpperCase().replaceAll("-", "_")}'] ?? '';`,
      "if (!hash_equals($expected, $given)) {",
      "    http_response_code(401);",
      "    exit;",
      "}",
      "$event = json_decode($raw, true);",
      "http_response_code(204);",
    ].join("\n"),
    py: [
      "import base64",
      "import hashlib",
      "import hmac",
      "import os",
      "",
      "def is_genuine(raw: bytes, headers) -> bool:",
      '    secret = os.environ["SECRET_KEY"].encode()',
      "    expected = base64.b64encode(hmac.new(secret, raw, hashlib.sha256).digest())",
      `    given = headers.get("${header}", "").encode()`,
      "    return hmac.compare_digest(expected, given)",
    ].join("\n"),
  };
}
