/** An answer as an honest client reads it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- whoever reads a field expects it; a wrong one is a finding.
  readonly body: any;
}

export interface Ask {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const timeoutMs = 30_000;

export async function ask(
  url: string,
  method: string,
  path: string,
  { token, body, headers }: Ask = {},
): Promise<Reply> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== "" ? JSON.parse(text) : undefined,
  };
}

/** As `ask`, where anything but a success means that the ground itself is broken. */
export async function demand(
  url: string,
  method: string,
  path: string,
  options: Ask = {},
): Promise<Reply> {
  const reply = await ask(url, method, path, options);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
  return reply;
}

// oxlint-disable-next-line typescript/no-explicit-any -- as above.
export async function* eachRow(url: string, token: string, path: string): AsyncGenerator<any> {
  let cursor: string | null = null;
  do {
    const page: string = cursor === null ? "" : `&cursor=${cursor}`;
    const { body } = await demand(url, "GET", `${path}?limit=100${page}`, { token });
    yield* body.data;
    cursor = body.cursor.next as string | null;
  } while (cursor !== null);
}
