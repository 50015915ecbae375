import { PaymentLinks } from "../src/charges/payment-links.ts";
import { sql } from "../src/database/sql.ts";
import { type Busy, contender, describe, summary } from "./accept.ts";
import { benchBox } from "./keys.ts";
import type { Plan } from "./options.ts";
import type { Book } from "./postgres.ts";
import { type Finding, rounded } from "./report.ts";
import { bodies } from "./requests.ts";
import { type Comparison, compare } from "./rounds.ts";
import type { Service } from "./service.ts";

const connections = 64;
const target = 0.5;
const path = "/v1/charges";

/** Part j: creating charges, against the same routes without the database. */
export async function chargesAgainstBare(
  service: Service,
  book: Book,
  plan: Plan,
): Promise<Finding> {
  const charge = { body: bodies.charge, status: 201 } as const;
  return finding(
    "j",
    `(j) charges created, ${connections} connections`,
    await compare(
      plan,
      contender(service, book, path, connections, charge),
      contender(service, book, `/bench/bare${path}`, connections, charge),
    ),
  );
}

/** Part k: the payment page of a due charge, against the same page of a charge that is kept in memory. */
export async function pagesAgainstBare(service: Service, book: Book, plan: Plan): Promise<Finding> {
  const page = { body: bodies.page, status: 200 } as const;
  const route = `/pay/${await makeLink(service, book)}`;
  return finding(
    "k",
    `(k) payment pages, ${connections} connections`,
    await compare(
      plan,
      contender(service, book, route, connections, page),
      contender(service, book, `/bench/bare${route}`, connections, page),
    ),
  );
}

async function makeLink(service: Service, book: Book): Promise<string> {
  const response = await fetch(service.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${book.accessToken}`, "content-type": "application/json" },
    body: bodies.charge,
  });
  const { id } = (await response.json()) as { id: string };
  // It would be dropped after an hour, and a machine may be slow.
  await book.database.query(sql`
    update charges set expires_at = now() + interval '1 day'
    where company_id = ${book.companyId} and id = ${id}`);
  return new PaymentLinks(benchBox.deriveKey("payment link"), service.url).tokenOf(
    book.companyId,
    id,
  );
}

function finding(
  id: string,
  what: string,
  { first, second, ratio, ratios }: Comparison<Busy, Busy>,
): Finding {
  return {
    id,
    what,
    measured: describe(first),
    against: `without database: ${describe(second)}`,
    ratio,
    target,
    numbers: {
      real: summary(first),
      bare: summary(second),
      ratios: ratios.map((one) => rounded(one)),
    },
  };
}
