import { pythonNotation, toLiteral } from "./literals.ts";
import { headersOf, type SampleRequest, tokenVariable } from "./sample-request.ts";

/** With nothing but what Python comes with. */
export function pythonSample(request: SampleRequest): string {
  const { operation, url, body, fileName } = request;
  const literal = (value: unknown, margin?: string) => toLiteral(pythonNotation, value, margin);
  const headers = [
    ...(operation.needsToken
      ? [`"Authorization": f"Bearer {os.environ['${tokenVariable}']}"`]
      : []),
    ...headersOf(request).map(([name, value]) => `${literal(name)}: ${literal(value)}`),
  ];
  return [
    ...(body === undefined ? [] : ["import json"]),
    ...(operation.needsToken ? ["import os"] : []),
    "import urllib.error",
    "import urllib.request",
    "",
    "request = urllib.request.Request(",
    `    ${literal(url)},`,
    ...(operation.method === "GET" ? [] : [`    method="${operation.method}",`]),
    ...(headers.length === 0
      ? []
      : ["    headers={", ...headers.map((line) => `        ${line},`), "    },"]),
    ...(body === undefined ? [] : [`    data=json.dumps(${literal(body, "    ")}).encode(),`]),
    ")",
    "try:",
    "    with urllib.request.urlopen(request, timeout=30) as answer:",
    ...(fileName === undefined
      ? ["        print(answer.status, answer.read().decode())"]
      : [
          `        with open(${literal(fileName)}, "wb") as file:`,
          "            file.write(answer.read())",
        ]),
    "except urllib.error.HTTPError as error:",
    "    print(error.code, error.read().decode())",
  ].join("\n");
}
