import { inspect } from "node:util";
import { Cauri, type CauriOptions, InvalidArgumentError } from "@cauri/sdk";
import { describe, expect, test } from "vitest";
import { failureOf } from "./client.ts";

const transfer = { amount: 5_000, msisdn: "2250700000000", reference: "rent" };
let sent = 0;
const options: CauriOptions = {
  url: "https://pay.example/api/",
  token: "at_secret",
  fetch: async () => {
    sent += 1;
    return Response.json({});
  },
};

describe("what cannot be sent is refused before anything is", () => {
  test.for<Partial<Record<keyof CauriOptions, unknown>>>([
    { url: "" },
    { url: "pay.example" },
    { url: "ftp://pay.example" },
    { url: "https://me:secret@pay.example" },
    { token: "" },
    { token: "at_one\nx-other: header" },
    { token: undefined },
    { companyId: "é" },
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { timeoutMs: 2 ** 31 },
    { retries: -1 },
    { pauseMaxMs: Number.POSITIVE_INFINITY },
  ])("options %j", (wrong) => {
    expect(() => new Cauri({ ...options, ...wrong } as CauriOptions)).toThrow(InvalidArgumentError);
  });

  // An empty id would be the list, and dots would lead out of the path: another address than was meant.
  test.for(["", ".", "..", "a/b", "a?b", "a#b", "%2e%2e", "../balance", undefined, 7])(
    "id %j",
    async (id) => {
      const cauri = new Cauri(options);
      const wrong = id as string;
      const calls = [
        () => cauri.transfers.get(wrong),
        () => cauri.charges.refund(wrong),
        () => cauri.webhooks.delete(wrong),
        () => cauri.webhooks.redeliver("id", wrong),
        async () => cauri.batches.transfers(wrong),
      ];
      for (const call of calls)
        expect(await failureOf(call())).toBeInstanceOf(InvalidArgumentError);
      expect(sent).toBe(0);
    },
  );

  test("numbers that JSON has no word for, and what is no JSON at all", async () => {
    const cauri = new Cauri(options);
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;

    for (const amount of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(await failureOf(cauri.transfers.create({ ...transfer, amount }))).toBeInstanceOf(
        InvalidArgumentError,
      );
    for (const metadata of [circle, { big: 1n }, { deep: [Number.NaN] }])
      expect(await failureOf(cauri.transfers.create({ ...transfer, metadata }))).toBeInstanceOf(
        InvalidArgumentError,
      );
    for (const idempotencyKey of ["", "é", "a\nb", "x".repeat(256)])
      expect(await failureOf(cauri.transfers.create(transfer, { idempotencyKey }))).toBeInstanceOf(
        InvalidArgumentError,
      );
    for (const correlationId of ["", "with a space", "é", "x".repeat(101)])
      expect(await failureOf(cauri.balance({ correlationId }))).toBeInstanceOf(
        InvalidArgumentError,
      );
    expect(sent).toBe(0);
  });
});

test("whoever prints a client, or an error of it, does not print its token", async () => {
  const cauri = new Cauri({ ...options, retries: 0 });
  const error = await failureOf(cauri.transfers.create(transfer));

  for (const thing of [cauri, cauri.transfers, error])
    expect(inspect(thing, { depth: 10, showHidden: true })).not.toContain("at_secret");
  expect(JSON.stringify(cauri)).not.toContain("at_secret");
});
