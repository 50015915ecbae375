import fc from "fast-check";
import { Command, demandEqual, sendAsExpected } from "./command.ts";
import { key, keyed } from "./transfer-commands.ts";

const subCompaniesMax = 4;
const webhooksMax = 6;
const topics = ["transactions/started", "transactions/completed", "charge/events"];

const createSubCompany = fc.record({ name: fc.constantFrom("Awa", "Boutique"), key }).map(
  (request) =>
    new Command(
      `sub-company ${JSON.stringify(request)}`,
      async (books, world) => {
        const body = { name: request.name, logoUrl: "https://shop.example/logo.png" };
        const call = {
          method: "POST",
          path: "/v1/sub-companies",
          body,
          ...keyed(request.key),
        } as const;
        await sendAsExpected(books, world, call, { status: 201 }, (answer) => {
          books.subCompanies.push({ id: answer.id, name: answer.name, isActive: answer.isActive });
        });
      },
      (books) => books.subCompanies.length < subCompaniesMax,
    ),
);

const changeSubCompany = fc.record({ at: fc.nat(3), isActive: fc.boolean() }).map(
  ({ at, isActive }) =>
    new Command(
      `sub-company ${at} active: ${isActive}`,
      async (books, world) => {
        const sub = books.subCompanies[at % books.subCompanies.length];
        if (sub === undefined) return;
        const call = {
          method: "PUT",
          path: `/v1/sub-companies/${sub.id}`,
          body: { isActive },
        } as const;
        await sendAsExpected(books, world, call, { status: 200 }, () => {
          sub.isActive = isActive;
        });
      },
      (books) => books.subCompanies.length > 0,
    ),
);

const listSubCompanies = fc.constant(
  new Command("list sub-companies", async (books, world) => {
    const { data } = await world.client.get("/v1/sub-companies?limit=100");
    demandEqual(
      (data as Record<string, unknown>[]).map((one) => [one["id"], one["isActive"]]),
      books.subCompanies.map(({ id, isActive }) => [id, isActive]).toReversed(),
      "sub-companies, newest first",
    );
  }),
);

const createWebhook = fc.record({ topic: fc.constantFrom(...topics), key }).map(
  (request) =>
    new Command(
      `webhook ${JSON.stringify(request)}`,
      async (books, world) => {
        const body = { topic: request.topic, url: "http://127.0.0.1:9/nobody" };
        const call = { method: "POST", path: "/v1/webhooks", body, ...keyed(request.key) } as const;
        await sendAsExpected(books, world, call, { status: 201 }, (answer) => {
          books.webhooks.set(answer.id, body);
        });
      },
      (books) => books.webhooks.size < webhooksMax,
    ),
);

const deleteWebhook = fc.nat(5).map(
  (at) =>
    new Command(
      `delete webhook ${at}`,
      async (books, world) => {
        const id = [...books.webhooks.keys()][at % books.webhooks.size] ?? "";
        const call = { method: "DELETE", path: `/v1/webhooks/${id}` } as const;
        await sendAsExpected(books, world, call, { status: 204 }, () => books.webhooks.delete(id));
        const again = { status: 404, code: "webhook_not_found" };
        await sendAsExpected(books, world, call, again, () => {});
      },
      (books) => books.webhooks.size > 0,
    ),
);

const listWebhooks = fc.constant(
  new Command("list webhooks", async (books, world) => {
    const { data } = await world.client.get("/v1/webhooks?limit=100");
    demandEqual(
      (data as Record<string, unknown>[]).map((one) => [one["id"], one["topic"]]),
      [...books.webhooks].map(([id, { topic }]) => [id, topic]).toReversed(),
      "webhooks, newest first",
    );
  }),
);

const checkCustomer = fc.nat(4).map(
  (at) =>
    new Command(`check customer ${at}`, async (_books, world) => {
      const msisdn = world.people[at] ?? "";
      const path = `/v1/transactions/customers/check?msisdn=${msisdn}`;
      const { kycStatus } = await world.client.get(path);
      const expected = ["complete", "unknown", "complete", "pending", "unknown"][at];
      demandEqual(kycStatus, expected, `the customer check of person ${at}`);
    }),
);

export const otherCommands = [
  createSubCompany,
  changeSubCompany,
  listSubCompanies,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  checkCustomer,
];
