import fc from "fast-check";
import { type Books, chargeFeeOf, type ModelCharge } from "./books.ts";
import { Command, demand, demandEqual, type Expected, sendAsExpected } from "./command.ts";
import { key, keyed, named, person, pick, subCompany } from "./transfer-commands.ts";
import type { World } from "./world.ts";

const externalId = fc.integer({ min: 1, max: 40 }).map((number) => `e${number}`);
const amount = fc.integer({ min: 1, max: 50_000 });
const place = fc.nat(39);

const create = fc.record({ externalId, amount, key, subCompany }).map(
  (request) =>
    new Command(`charge ${JSON.stringify(request)}`, async (books, world) => {
      const sub = pick(books, request.subCompany);
      const { externalId: name } = request;
      const body = {
        amount: request.amount,
        externalId: name,
        description: "An order",
        onCanceledRedirectionUrl: "https://shop.example/cart",
        onCompletedRedirectionUrl: "https://shop.example/thanks",
        ...named(sub),
      };
      const call = { method: "POST", path: "/v1/charges", body, ...keyed(request.key) } as const;
      const isKnown = books.charges.some((charge) => charge.externalId === name);
      const expected: Expected =
        sub?.isActive === false
          ? { status: 422, code: "sub_company_inactive" }
          : isKnown
            ? { status: 409, code: "duplicate_external_id" }
            : { status: 201 };
      await sendAsExpected(books, world, call, expected, (answer) => {
        const fee = chargeFeeOf(request.amount);
        demandEqual([answer.status, answer.fees.value], ["created", fee], "a new charge");
        books.charges.push({
          id: answer.id,
          path: new URL(answer.paymentUrl).pathname,
          externalId: name,
          amount: request.amount,
          fee,
          status: "due",
          droppedReason: null,
          refunded: 0,
          transactions: [],
        });
      });
    }),
);

const pay = fc.record({ place, person, key }).map((request) =>
  onCharge(`pay ${JSON.stringify(request)}`, request.place, async (charge, books, world) => {
    const msisdn = world.people[request.person] ?? "";
    const path = `/v1/charges/${charge.id}/pay`;
    const body = { recipientMsisdn: msisdn };
    const call = { method: "POST", path, body, ...keyed(request.key) } as const;
    const expected =
      charge.status === "due" ? { status: 200 } : { status: 422, code: "charge_not_payable" };
    await sendAsExpected(books, world, call, expected, (answer) => {
      books.pay(charge, msisdn);
      compareCharge(answer, charge);
    });
  }),
);

const refund = fc
  .record({
    place,
    amount: fc.option(fc.integer({ min: 1, max: 60_000 }), { nil: undefined }),
    key,
  })
  .map((request) =>
    onCharge(`refund ${JSON.stringify(request)}`, request.place, async (charge, books, world) => {
      const path = `/v1/charges/${charge.id}/refund`;
      const body = request.amount === undefined ? {} : { amount: request.amount };
      const call = { method: "POST", path, body, ...keyed(request.key) } as const;
      const left = charge.amount - charge.refunded;
      const asked = request.amount ?? left;
      await sendAsExpected(
        books,
        world,
        call,
        judgeRefund(books, charge, request.amount),
        (answer) => {
          books.refund(charge, asked);
          compareCharge(answer, charge);
        },
      );
    }),
  );

const expire = place.map((at) =>
  onCharge(`expire ${at}`, at, async (charge, books, world) => {
    const expiresAt = (await world.expire(charge.id)).toISOString();
    // Nothing else changes when a charge ends, so an answer that was kept tells it too.
    for (const [used, kept] of books.kept) {
      const body = JSON.parse(kept.body) as { readonly id?: string };
      if (body.id === charge.id)
        books.kept.set(used, { ...kept, body: JSON.stringify({ ...body, expiresAt }) });
    }
    if (charge.status !== "due") return;
    charge.status = "dropped";
    charge.droppedReason = "EXPIRED";
  }),
);

const cancel = place.map((at) =>
  onCharge(`cancel ${at}`, at, async (charge, _books, world) => {
    const url = `${world.url}${charge.path}/cancel`;
    const { status } = await fetch(url, { method: "POST", redirect: "manual" });
    demand(status === 303, "cancelling on the page", "303", status);
    if (charge.status !== "due") return;
    charge.status = "dropped";
    charge.droppedReason = "CANCELED";
  }),
);

const read = place.map((at) =>
  onCharge(`read charge ${at}`, at, async (charge, _books, world) => {
    compareCharge(await world.client.get(`/v1/charges/${charge.id}`), charge);
  }),
);

const statuses = ["due", "paid", "dropped", "refunded_partially", "refunded"];
const list = fc.constantFrom(...statuses).map(
  (status) =>
    new Command(`list ${status} charges`, async (books, world) => {
      const { data } = await world.client.get(`/v1/charges?status=${status}&limit=100`);
      const expected = books.charges.filter((charge) => charge.status === status);
      demandEqual(
        (data as { externalId: string }[]).map((charge) => charge.externalId),
        expected.map((charge) => charge.externalId).toReversed(),
        `${status} charges, newest first`,
      );
    }),
);

/** More often what moves money. */
export const chargeCommands = [
  create,
  create,
  pay,
  pay,
  pay,
  refund,
  refund,
  expire,
  cancel,
  read,
  list,
];

/** Everything the API says about a charge. */
// oxlint-disable-next-line typescript/no-explicit-any -- compared field by field.
export function compareCharge(found: any, charge: ModelCharge): void {
  const isPaid = charge.transactions.some(
    ({ type, error }) => type === "payment" && error === null,
  );
  const attempts = charge.transactions.filter(({ type }) => type === "payment").length;
  demandEqual(
    {
      status: found.status,
      droppedReason: found.droppedReason,
      due: found.due,
      paid: found.paid,
      refunded: found.refunded,
      attempts: found.attempts,
      transactions: found.transactions.map((one: Record<string, unknown>) => ({
        type: one["type"],
        amount: one["amount"],
        msisdn: one["recipientMsisdn"],
        error: one["error"],
      })),
    },
    {
      status: charge.status,
      droppedReason: charge.droppedReason,
      due: isPaid ? 0 : charge.amount,
      paid: isPaid ? charge.amount : 0,
      refunded: charge.refunded,
      attempts,
      transactions: charge.transactions,
    },
    `charge ${charge.externalId}`,
  );
}

function judgeRefund(books: Books, charge: ModelCharge, amountAsked: number | undefined): Expected {
  const left = charge.amount - charge.refunded;
  const isPaid = charge.status === "paid" || charge.status === "refunded_partially";
  const asksForMore = charge.status === "refunded" && amountAsked !== undefined;
  if (!isPaid && !asksForMore) return { status: 422, code: "charge_not_refundable" };
  if ((amountAsked ?? left) > left) return { status: 400, code: "refund_exceeds_paid" };
  const cost = books.refundCost(charge, amountAsked ?? left);
  return cost > books.available ? { status: 422, code: "insufficient_funds" } : { status: 200 };
}

function onCharge(
  name: string,
  at: number,
  act: (charge: ModelCharge, books: Books, world: World) => Promise<void>,
): Command {
  return new Command(
    name,
    async (books, world) => {
      const charge = books.charges[at % books.charges.length];
      if (charge !== undefined) await act(charge, books, world);
    },
    (books) => books.charges.length > 0,
  );
}
