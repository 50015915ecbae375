import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect } from "vitest";
import { type TestService, test } from "../../test/fixtures.ts";
import { textOf } from "../../test/pay-page.ts";
import { fund } from "../../test/seals.ts";
import { exporter, statementOf } from "../../test/statement-of.ts";
import { writeExport } from "../statements/export/write-export.ts";

const earlier = join(import.meta.dirname, "../../test/earlier-exports");

interface Sent {
  readonly bytes: Buffer;
  readonly name?: string;
  readonly kept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(
  service: Pick<TestService, "url">,
  { bytes, name = "a.csv", kept = "", headers = {} }: Sent,
) {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(bytes)]), name);
  form.set("kept", kept);
  const response = await fetch(`${service.url}/verify?lang=en`, {
    method: "POST",
    body: form,
    headers,
  });
  return {
    status: response.status,
    headers: response.headers,
    text: textOf(await response.text()),
  };
}

async function download(service: TestService, token: string, format: string): Promise<Buffer> {
  const response = await fetch(`${service.url}/v1/statement.${format}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return Buffer.from(await response.arrayBuffer());
}

function strangers(): Promise<Buffer> {
  const choice = { format: "csv", dialect: "machine", language: "en" } as const;
  return buffer(writeExport(statementOf(3), exporter, choice));
}

const strangersKeys = JSON.stringify({ keys: [exporter.key] });

test("200: a statement of each format is verified with the operator's own key, at its address", async ({
  db,
  service,
  company,
}) => {
  await fund(db, company.id, 5_000);
  for (const format of ["csv", "xlsx", "pdf"]) {
    const bytes = await download(service, company.accessToken, format);

    const { status, text, headers } = await send(service, { bytes, name: `january.${format}` });

    expect([status, text]).toEqual([200, expect.stringContaining("Verified")]);
    expect(text).toMatch(/Signed by .+ at http:\S+\/verify\. Compare this address/);
    expect(text).toContain(company.id.replaceAll("-", ""));
    expect(headers.get("cache-control")).toBe("no-store");

    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    const changed = await send(service, { bytes, name: `january.${format}` });
    expect(changed.text).not.toContain("Signed by");
    expect(changed.text).toMatch(/Not verified|damaged/);
  }
});

test("200: what a stranger signed is not the operator's; with what the reader kept it is the reader's word", async ({
  service,
}) => {
  const bytes = await strangers();

  expect((await send(service, { bytes })).text).toContain("Not verified");
  const byKey = await send(service, { bytes, kept: strangersKeys });
  expect(byKey.text).toContain("Signed with a key that you brought");
  expect(byKey.text).not.toContain("Signed by");
  const seals = await readFile(join(earlier, "seals.json"), "utf8");
  const old = await readFile(join(earlier, "statement.pdf"));
  const rows = await send(service, { bytes: old, name: "old.pdf", kept: strangersKeys });
  expect(rows.text).toContain("Rows verified, not what the file shows");
  expect((await send(service, { bytes: old, name: "old.pdf" })).text).toContain("Not verified");
  const bySeals = await send(service, { bytes: old, name: "old.pdf", kept: seals });
  expect(bySeals.text).toContain("Not verified");
});

test("400, 413, 422: what cannot be verified is told on the page", async ({ service }) => {
  const bytes = await strangers();
  const none = await send(service, { bytes: Buffer.alloc(0) });
  expect([none.status, none.text]).toEqual([400, expect.stringContaining("Choose a file.")]);
  for (const [sent, said] of [
    [{ bytes: Buffer.from("a,b\n1,2\n") }, "not a statement"],
    [{ bytes: Buffer.from("PK\u0003\u0004") }, "not a statement"],
    [{ bytes: Buffer.from("%PDF-1.7\n") }, "not a statement"],
    [{ bytes, kept: "{" }, "neither keys nor seals"],
    [{ bytes, kept: "[1]" }, "neither keys nor seals"],
  ] as const) {
    const { status, text } = await send(service, sent);
    expect([status, text]).toEqual([422, expect.stringContaining(said)]);
  }
  const large = await send(service, { bytes: Buffer.alloc(10 * 1024 * 1024 + 1, "a") });
  expect([large.status, large.text]).toEqual([413, expect.stringContaining("larger than 10 MB")]);
});

test("403 and 415: a form of another site, and a body that is no form with a file", async ({
  service,
}) => {
  const bytes = await strangers();
  const foreign = await send(service, { bytes, headers: { "sec-fetch-site": "cross-site" } });
  expect(foreign.status).toBe(403);
  const json = await fetch(`${service.url}/verify`, {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json" },
  });
  expect(json.status).toBe(415);
});

test("503 and 429: a network has one file at a time, and so many in a minute", async ({
  service,
}) => {
  const bytes = await strangers();
  const answers = await Promise.all(Array.from({ length: 30 }, () => send(service, { bytes })));

  const statuses = new Set(answers.map(({ status }) => status));
  expect(statuses).toContain(200);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  expect([...statuses].every((status) => [200, 429, 503].includes(status))).toBe(true);
  expect((await fetch(`${service.url}/verify`)).status).toBe(200);
});
