const timeoutMs = 30_000;

/** A plain browser on one page: forms, and the cookies it is given. It says where it comes from as a proxy would. */
export class Visitor {
  readonly #url: string;
  readonly #path: string;
  readonly #address: string;
  #cookies: Map<string, string>;

  constructor(url: string, path: string, address: string, cookie = "") {
    this.#url = url;
    this.#path = path;
    this.#address = address;
    this.#cookies = new Map(
      cookie
        .split("; ")
        .filter((pair) => pair !== "")
        .map((pair) => [pair.split("=", 1)[0] ?? "", pair]),
    );
  }

  get cookie(): string {
    return [...this.#cookies.values()].join("; ");
  }

  async get(): Promise<{ readonly status: number; readonly html: string }> {
    const response = await this.#send(this.#path, { method: "GET" });
    return { status: response.status, html: await response.text() };
  }

  /** Returns the status. */
  async post(action: string, fields: Readonly<Record<string, string>>): Promise<number> {
    const body = new URLSearchParams(fields);
    const response = await this.#send(`${this.#path}/${action}`, { method: "POST", body });
    await response.arrayBuffer();
    return response.status;
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(this.#url + path, {
      ...init,
      headers: { cookie: this.cookie, "x-forwarded-for": this.#address },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";", 1);
      this.#cookies.set(pair.split("=", 1)[0] ?? "", pair);
    }
    return response;
  }
}
