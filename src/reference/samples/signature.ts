import type { Samples } from "./samples.ts";

/** How a receiver tells a notification from a forgery, in every language. */
export function signatureSamples(brand: string): Samples {
  const header = `x-${brand}-hmac-sha256`;
  return {
    curl: [
      `# ${header}, of the body as it came:`,
      `openssl dgst -sha256 -hmac "$CAURI_SECRET_KEY" -binary body.json | base64`,
    ].join("\n"),
    ts: [
      'import { createServer } from "node:http";',
      'import { webhooks } from "@cauri/sdk";',
      "",
      'const { CAURI_SECRET_KEY: secret = "" } = process.env;',
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
      "require 'Cauri.php';",
      "",
      "try {",
      "    $raw = file_get_contents('php://input');",
      "    $event = Cauri\\Webhooks::verify($raw, $_SERVER, getenv('CAURI_SECRET_KEY'));",
      "    error_log($event['topic']);",
      "    http_response_code(204);",
      "} catch (Cauri\\WebhookVerificationException) {",
      "    http_response_code(401);",
      "}",
    ].join("\n"),
    py: [
      "import os",
      "from http.server import BaseHTTPRequestHandler, HTTPServer",
      "import cauri",
      "",
      "class Receiver(BaseHTTPRequestHandler):",
      "    def do_POST(self):",
      '        raw = self.rfile.read(int(self.headers["content-length"]))',
      "        try:",
      '            event = cauri.verify(raw, self.headers, os.environ["CAURI_SECRET_KEY"])',
      '            print(event["topic"], flush=True)',
      "            self.send_response(204)",
      "        except cauri.WebhookVerificationError:",
      "            self.send_response(401)",
      "        self.end_headers()",
      "",
      'HTTPServer(("", 3000), Receiver).serve_forever()',
    ].join("\n"),
  };
}
