import { phpNotation, toLiteral } from "./literals.ts";
import { headersOf, type SampleRequest, tokenVariable } from "./sample-request.ts";

export function phpSample(request: SampleRequest): string {
  const { operation, url, body, fileName } = request;
  const literal = (value: unknown, margin?: string) => toLiteral(phpNotation, value, margin);
  const headers = [
    ...(operation.needsToken ? [`'Authorization: Bearer ' . getenv('${tokenVariable}')`] : []),
    ...headersOf(request).map(([name, value]) => literal(`${name}: ${value}`)),
  ];
  return [
    "<?php",
    `$request = curl_init(${literal(url)});`,
    "curl_setopt_array($request, [",
    ...(operation.method === "GET" ? [] : [`    CURLOPT_CUSTOMREQUEST => '${operation.method}',`]),
    "    CURLOPT_RETURNTRANSFER => true,",
    "    CURLOPT_TIMEOUT => 30,",
    ...(headers.length === 0
      ? []
      : ["    CURLOPT_HTTPHEADER => [", ...headers.map((line) => `        ${line},`), "    ],"]),
    ...(body === undefined
      ? []
      : [`    CURLOPT_POSTFIELDS => json_encode(${literal(body, "    ")}),`]),
    "]);",
    "$answer = curl_exec($request);",
    "if ($answer === false) {",
    "    throw new RuntimeException(curl_error($request));",
    "}",
    ...(fileName === undefined
      ? ["echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;"]
      : [
          "if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) !== 200) {",
          "    throw new RuntimeException($answer);",
          "}",
          `file_put_contents(${literal(fileName)}, $answer);`,
        ]),
  ].join("\n");
}
