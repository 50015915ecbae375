export interface PageForm {
  readonly action: string;
  /** What is sent along unseen. */
  readonly hidden: Readonly<Record<string, string>>;
  /** Of every field that it has. */
  readonly names: readonly string[];
}

export interface Page {
  readonly status: number;
  readonly location: string;
  readonly text: string;
}

type Fields = Readonly<Record<string, string>>;

const timeoutMs = 120_000;

/** One browser with cookies of its own, at an address of its own behind a proxy that the service trusts. */
export class Browser {
  readonly #url: string;
  readonly #address: string;
  readonly #cookies = new Map<string, string>();

  constructor(url: string, address: string) {
    this.#url = url;
    this.#address = address;
  }

  get(path: string, headers: Fields = {}): Promise<Page> {
    return this.#ask(path, { headers });
  }

  post(path: string, body: BodyInit, signal?: AbortSignal): Promise<Page> {
    return this.#ask(path, { method: "POST", body, ...(signal === undefined ? {} : { signal }) });
  }

  /** Sends the form of a page whose address ends so, with what it sends along by itself. */
  submit(page: Page, ending: string, fields: Fields): Promise<Page> {
    const form = formsOf(page).find(({ action }) => action.split("?", 1)[0]?.endsWith(ending));
    if (form === undefined) throw new Error(`no form for ${ending} on a page (${page.status})`);
    return this.send(form, fields);
  }

  send({ action, hidden }: PageForm, fields: Fields): Promise<Page> {
    return this.post(action, new URLSearchParams({ ...hidden, ...fields }));
  }

  get cookie(): string {
    return Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join("; ");
  }

  async #ask(path: string, init: RequestInit): Promise<Page> {
    const response = await fetch(new URL(path, this.#url), {
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
      ...init,
      headers: {
        "accept-language": "en",
        "x-forwarded-for": this.#address,
        ...(this.#cookies.size === 0 ? {} : { cookie: this.cookie }),
        ...(init.headers as Fields | undefined),
      },
    });
    for (const text of response.headers.getSetCookie()) this.#keep(text);
    const text = await response.text();
    return { status: response.status, location: response.headers.get("location") ?? "", text };
  }

  #keep(cookie: string): void {
    const [pair = "", ...attributes] = cookie.split("; ");
    const [name = "", value = ""] = pair.split("=", 2);
    const isGone = value === "" || attributes.some((text) => /^max-age=0$/i.test(text));
    if (isGone) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

export function formsOf({ text }: Page): PageForm[] {
  return Array.from(
    text.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g),
    ([, tag = "", inner = ""]) => {
      const inputs = inner.match(/<(?:input|select|textarea|button)\b[^>]*>/g) ?? [];
      const named = inputs.filter((input) => attributeOf(input, "name") !== "");
      return {
        action: attributeOf(tag, "action"),
        hidden: Object.fromEntries(
          named
            .filter((input) => attributeOf(input, "type") === "hidden")
            .map((input) => [attributeOf(input, "name"), attributeOf(input, "value")]),
        ),
        names: named.map((input) => attributeOf(input, "name")),
      };
    },
  );
}

function attributeOf(tag: string, name: string): string {
  const [, value = ""] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? [];
  return value.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&");
}
