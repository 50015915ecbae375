import { setTimeout as sleep } from "node:timers/promises";
import { Asker } from "./asker.ts";
import type { Owner } from "./owner.ts";
import type { Site } from "./site.ts";

/** What is allowed and large: as many rows as a batch, a payroll and a lookup may have. */
const sizes = {
  short: { batchRows: 2_000, payrollRows: 1_000 },
  full: { batchRows: 10_000, payrollRows: 5_000 },
};
const heldUpMaxMs = 250;
const repeats = 3;
const patienceMs = 120_000;

export interface LargestReport {
  readonly steps: number;
  /** What held the others up most, by name. */
  readonly heldUpMs: ReadonlyMap<string, number>;
  readonly findings: readonly string[];
}

/** Does what is allowed, at its largest, and sees how long others wait for it. */
export async function doLargest(
  site: Site,
  scale: "short" | "full",
  progress: (text: string) => void,
): Promise<LargestReport> {
  const desk = new LargeDesk(site, progress);
  try {
    await desk.run(sizes[scale]);
  } finally {
    await desk.close();
  }
  const findings = [...desk.heldUpMs]
    .filter(([, ms]) => ms >= heldUpMaxMs)
    .map(([name, ms]) => `${name}: /healthz waits for ${Math.round(ms)} ms`);
  return { steps: desk.heldUpMs.size, heldUpMs: desk.heldUpMs, findings };
}

class LargeDesk {
  readonly heldUpMs = new Map<string, number>();
  readonly #site: Site;
  readonly #asker: Asker;
  readonly #progress: (text: string) => void;

  constructor(site: Site, progress: (text: string) => void) {
    this.#site = site;
    this.#progress = progress;
    const { url, pid } = site;
    this.#asker = new Asker({ url, pid, path: "/healthz", token: undefined });
  }

  async close(): Promise<void> {
    await this.#asker.stop();
  }

  async run({ batchRows, payrollRows }: (typeof sizes)["full"]): Promise<void> {
    const { owner, approver } = this.#site;
    const references = Array.from({ length: batchRows }, (_, row) => `large-${row}`);
    const transactions = references.map((reference, row) => ({
      type: "transfer",
      amount: 5_000 + row,
      msisdn: "2250700000000",
      reference,
    }));
    await this.#step("a batch", () =>
      this.#api("POST", "/v1/transactions/batch", { transactions }),
    );
    await this.#step("the same batch again", () =>
      this.#api("POST", "/v1/transactions/batch", { transactions }),
    );
    await this.#step("a lookup of references", () =>
      this.#api("POST", "/v1/transactions/lookup", { references: references.slice(0, 1_000) }),
    );
    const msisdns = references.slice(0, 1_000).map((_, row) => String(2_250_700_000_000 + row));
    await this.#step("a check of customers", () =>
      this.#api("POST", "/v1/customers/check", { msisdns }),
    );
    await this.#untilSettled(batchRows);
    for (const path of [
      "/v1/statement?limit=1000",
      "/v1/transactions?limit=100",
      "/v1/events?limit=100",
    ])
      await this.#often(`GET ${path}`, () => this.#api("GET", path));
    for (const kind of ["csv", "xlsx", "pdf"])
      await this.#often(`a statement as ${kind}`, () => this.#api("GET", `/v1/statement.${kind}`));
    for (const path of [
      "",
      "/transfers",
      "/transfers.csv",
      "/statements",
      "/developers/requests",
      "/trail",
    ])
      await this.#often(`GET /console${path}`, () => this.#page(owner, `/console${path}`));
    await this.#discardDrafts(owner);
    for (const badRows of [0, payrollRows])
      await this.#payroll(payrollRows, badRows, owner, approver);
    await this.#held(transactions, approver);
  }

  /** Files that were read before have left drafts behind, of which there may be so many and no more. */
  async #discardDrafts(owner: Owner): Promise<void> {
    const { text } = await this.#page(owner, "/console/payroll");
    const drafts = new Set(text.match(/\/console\/payroll\/drafts\/draft_\w+/g) ?? []);
    for (const draft of drafts) await this.#form(owner, `${draft}/discard`, {});
  }

  async #payroll(rows: number, badRows: number, owner: Owner, approver: Owner): Promise<void> {
    const kind = badRows === 0 ? "a payroll" : "a payroll of bad rows";
    const file = payrollOf(rows, badRows);
    const draft = await this.#step(`${kind}: upload`, () => this.#upload(owner, file));
    if (!draft.location.includes("/drafts/"))
      throw new Error(`${kind} is refused: ${await this.#noticeAt(owner, draft.location)}`);
    const page = await this.#often(`${kind}: its draft`, () => this.#page(owner, draft.location));
    const fields = { version: hidden(page.text, "version"), price: hidden(page.text, "price") };
    if (badRows > 0) {
      await this.#often(`${kind}: its bad rows`, () =>
        this.#page(owner, `${draft.location}/bad-rows.csv`),
      );
      await this.#step(`${kind}: a row is mended`, () =>
        this.#form(owner, `${draft.location}/mend`, { ...fields, "amount-2": "5000" }),
      );
      return;
    }
    const { location: run } = await this.#step(`${kind}: handed in`, () =>
      this.#form(owner, `${draft.location}/submit`, fields),
    );
    expectAt(run, /^\/console\/payroll\/prop_\w+$/);
    await this.#often(`${kind}: its page`, () => this.#page(owner, run));
    const review = run.replace("/payroll/", "/approvals/");
    const asked = await this.#often(`${kind}: its review`, () => this.#page(approver, review));
    await this.#often(`${kind}: its content`, () => this.#page(approver, `${review}/content.txt`));
    const [hash, code] = [hidden(asked.text, "hash"), await approver.nextCode()];
    await this.#step(`${kind}: approved`, () =>
      this.#form(approver, `${review}/approve`, { hash, code }),
    );
    if ((await this.#page(approver, review)).text.includes(`${review}/approve`))
      throw new Error(`${review} can still be approved`);
    await this.#often(`${kind}: its outcome`, () => this.#page(owner, `${run}/outcome.csv`));
  }

  /** What comes by a key waits for a person. */
  async #held(
    transactions: readonly { readonly reference: string }[],
    approver: Owner,
  ): Promise<void> {
    await this.#site.holdWhatKeysSend();
    const again = transactions.map((one) => ({ ...one, reference: `held-${one.reference}` }));
    await this.#step("a batch that is held", () =>
      this.#api("POST", "/v1/transactions/batch", { transactions: again }),
    );
    const path = "/console/approvals/held";
    const page = await this.#often("what is held", () => this.#page(approver, path));
    await this.#often("what is held: its content", () =>
      this.#page(approver, `${path}/content.txt`),
    );
    const code = await approver.nextCode();
    const [hash, upto] = [hidden(page.text, "hash"), hidden(page.text, "upto")];
    const { location } = await this.#step("what is held: approved", () =>
      this.#form(approver, `${path}/approve`, { hash, upto, code }),
    );
    expectAt(location, /^\/console\/approvals$/);
  }

  /** What changes nothing can be done again: once may be the machine. */
  async #often<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    let [least, last] = [Number.POSITIVE_INFINITY, await this.#step(name, work)];
    for (let time = 1; time < repeats; time += 1) {
      least = Math.min(least, this.heldUpMs.get(name) ?? 0);
      last = await this.#step(name, work);
    }
    this.heldUpMs.set(name, Math.min(least, this.heldUpMs.get(name) ?? 0));
    return last;
  }

  async #step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    this.#progress(name);
    await this.#asker.report();
    const result = await work();
    const probes = await this.#asker.report();
    this.heldUpMs.set(name, Math.max(0, ...probes.map(({ heldUpMs }) => heldUpMs)));
    return result;
  }

  async #untilSettled(rows: number): Promise<void> {
    const until = Date.now() + patienceMs;
    while (Date.now() < until) {
      const { text } = await this.#api("GET", "/v1/batches?limit=1");
      const [batch] = (JSON.parse(text) as { data: Record<string, number>[] }).data;
      if (
        batch === undefined ||
        (batch["completedCount"] ?? rows) + (batch["failedCount"] ?? 0) >= rows
      )
        return;
      await sleep(200);
    }
  }

  #api(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#ask(path, {
      method,
      headers: {
        authorization: `Bearer ${this.#site.token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  #page({ cookie }: Owner, path: string): Promise<Answer> {
    return this.#ask(path, { headers: { cookie } });
  }

  async #noticeAt(owner: Owner, path: string): Promise<string> {
    const { text } = await this.#page(owner, path);
    return /class="notice bad"[^>]*>([^<]*)/.exec(text)?.[1] ?? `a form leads to ${path}`;
  }

  #form(
    { cookie, formToken: token }: Owner,
    path: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const body = new URLSearchParams({ token, ...fields });
    return this.#ask(path, { method: "POST", headers: { cookie }, body });
  }

  #upload({ cookie, formToken }: Owner, text: string): Promise<Answer> {
    const body = new FormData();
    body.set("file", new Blob([text], { type: "text/csv" }), "juin.csv");
    const path = `/console/payroll/upload?token=${encodeURIComponent(formToken)}`;
    return this.#ask(path, { method: "POST", headers: { cookie }, body });
  }

  async #ask(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(this.#site.url + path, { redirect: "manual", ...init });
    const text = await response.text();
    // What was sent before is a conflict, and meant so.
    if (response.status >= 400 && response.status !== 409)
      throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
    return { text, location: response.headers.get("location") ?? "" };
  }
}

interface Answer {
  readonly text: string;
  readonly location: string;
}

/** Whoever is led elsewhere was refused, and what comes next would mean nothing. */
function expectAt(location: string, wanted: RegExp): void {
  if (!wanted.test(location)) throw new Error(`a form leads to ${location}, not to ${wanted}`);
}

function hidden(page: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";
}

/** With as much text as a row may have, and with what is wrong in as many ways as there are. */
function payrollOf(rows: number, badRows: number): string {
  const heading = "telephone;montant;reference;motif";
  const columns = Array.from({ length: 40 }, (_, place) => `colonne ${place}`).join(";");
  const more = Array.from({ length: 40 }, () => "x".repeat(40)).join(";");
  const lines = Array.from({ length: rows }, (_, row) =>
    row < badRows
      ? `2,25E+12;12.34,56;;${"m".repeat(60)};${more}`
      : `2250700000000;${5_000 + row};p-${row};Salaire de juin;${more}`,
  );
  return [`${heading};${columns}`, ...lines, ""].join("\n");
}
