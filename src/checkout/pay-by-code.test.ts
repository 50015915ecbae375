import { describe, expect } from "vitest";
import {
  accountsOf,
  ChargeClient,
  decliner,
  fillWallet,
  payer,
  walletOf,
} from "../../test/charges.ts";
import { passCodeTime, wrongCode } from "../../test/codes.ts";
import { auditDifferences, makeCustomer, type TestDatabase, test } from "../../test/fixtures.ts";
import { PayPage, textOf } from "../../test/pay-page.ts";
import { sql } from "../database/sql.ts";

const phone = "+221771234567";
const customer = "221771234567";

describe("codes", () => {
  test("guessing: five tries a code, and after every code a longer wait for the next", async ({
    db,
    service,
    company,
  }) => {
    await makeCustomer(db.database, customer);
    const page = await PayPage.make(service, company);
    for (const [wait, told] of [
      [300, "Réessayez dans 5 minutes"],
      [1_800, "Réessayez dans 30 minutes"],
    ] as const) {
      const code = await page.codeFor(phone);
      for (const left of [4, 3, 2, 1]) {
        await page.post("confirm", { code: wrongCode(code) });
        const answer = textOf((await page.get()).html);
        expect(answer).toContain(`Il vous reste ${left} essai${left > 1 ? "s" : ""}.`);
      }
      await page.post("confirm", { code: wrongCode(code) });
      expect(textOf((await page.get()).html)).toContain("Trop d’essais avec ce code");
      // Too late: the right one is no longer worth anything.
      await page.post("confirm", { code });
      expect((await chargeOf(db, page)).status).toBe("due");
      await page.post("code", { again: "1" });
      const stopped = await page.get();
      expect(textOf(stopped.html)).toContain("Trop de codes faux ou non confirmés pour ce numéro.");
      expect(textOf(stopped.html)).toContain(told);
      expect(stopped.html).not.toContain('id="code"');
      await passCodeTime(db.database, wait);
    }
    expect(await chargeOf(db, page)).toMatchObject({ status: "due", attempts: 0 });
  });

  test("one link sends six codes at most, whatever numbers are typed into it", async ({
    db,
    service,
    company,
  }) => {
    const page = await PayPage.make(service, company);
    for (let index = 1; index <= 8; index += 1) {
      await makeCustomer(db.database, `22177123450${index}`);
      await page.post("code", { phone: `+22177123450${index}` });
    }

    const sent = await db.database.query(sql`select msisdn from one_time_codes`);
    expect(sent).toHaveLength(6);
    const { html } = await page.get();
    expect(textOf(html)).toContain("Trop de codes ont été demandés pour ce paiement");
    // The last code that was sent is still good.
    expect(html).toContain('id="code"');
    expect(textOf(html)).toContain("•• •• •• 06");
  });

  test("asked for twice in a moment it is sent once, and the page is not a problem", async ({
    db,
    service,
    company,
  }) => {
    await makeCustomer(db.database, customer);
    const page = await PayPage.make(service, company);
    await page.get();
    await Promise.all([1, 2, 3].map(() => page.post("code", { phone })));

    expect(await db.database.query(sql`select 1 from one_time_codes`)).toHaveLength(1);
    const { html } = await page.get();
    expect(html).not.toContain('role="alert"');
    expect(textOf(html)).toMatch(/Un nouveau code est possible dans \d+ secondes/);
    expect(textOf(html)).toContain("Encore 2 envois possibles.");
    const rows = await db.database.query<{ sends: number }>(sql`select sends from checkouts`);
    expect(rows).toEqual([{ sends: 1 }]);
  });

  test("asked for again too early the page says how long to wait, and the code in hand stays good", async ({
    db,
    service,
    company,
  }) => {
    const page = await PayPage.make(service, company);
    const code = await page.codeFor(payer);
    expect((await page.get()).html).not.toContain('class="note"');

    await page.post("code", { again: "1" });
    const { html } = await page.get();
    const note = /<p class="note" role="status">(.*?)<\/p>/.exec(html)?.[1] ?? "";
    expect(textOf(note)).toMatch(
      /Un code vient d’être envoyé\. Un nouveau est possible dans \d+ secondes\./,
    );
    expect(html).toMatch(/data-wait="(?:[12]?\d|30)"/);
    await page.post("confirm", { code });
    expect((await chargeOf(db, page)).status).toBe("paid");
  });

  test("a code that is too old says so, and a new one can be had with one press", async ({
    db,
    service,
    company,
  }) => {
    const page = await PayPage.make(service, company);
    const code = await page.codeFor(payer);
    await passCodeTime(db.database, 301);

    await page.post("confirm", { code });
    expect(textOf((await page.get()).html)).toContain("Ce code n’est plus valable");
    await page.post("code", { again: "1" });
    await page.post("confirm", { code: await shownCode(page) });
    expect((await chargeOf(db, page)).status).toBe("paid");
  });

  test("422: what cannot be a code costs no try", async ({ service, company }) => {
    const page = await PayPage.make(service, company);
    const code = await page.codeFor(payer);
    for (const typed of ["", "12345", "abcdef"]) {
      const answer = await page.post("confirm", { code: typed });
      expect(answer.status).toBe(422);
      expect(textOf(answer.html)).toContain("Saisissez les six chiffres du code.");
      expect(answer.html).toContain('aria-describedby="code-problem code-hint"');
    }
    await page.post("confirm", { code: ` ${code.slice(0, 3)} ${code.slice(3)}` });
    expect(textOf((await page.get()).html)).toContain("Paiement effectué");
  });

  test("a code for one charge pays no other", async ({ db, service, company }) => {
    const [one, other] = [
      await PayPage.make(service, company),
      await PayPage.make(service, company),
    ];
    const code = await one.codeFor(payer);
    const otherCode = await other.codeFor(payer);

    if (code !== otherCode) await other.post("confirm", { code });
    expect((await chargeOf(db, other)).status).toBe("due");
    await other.post("change");
    await other.post("confirm", { code: otherCode });
    expect((await chargeOf(db, other)).status).toBe("due");
  });
});

describe("paying", () => {
  test("twenty submits of the right code at once pay once", async ({ db, service, company }) => {
    await makeCustomer(db.database, customer);
    await fillWallet(db, service, company, customer, 50_000);
    const page = await PayPage.make(service, company);
    const code = await page.codeFor(phone);

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => page.post("confirm", { code })),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect(textOf((await page.get()).html)).toContain("Paiement effectué");
    expect(await chargeOf(db, page)).toMatchObject({ status: "paid", attempts: 1 });
    expect(await walletOf(db, customer)).toBe(40_000);
    expect((await accountsOf(db, company.id))["available"]).toBe(960_000);
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("each reason of a failure is told, and what can be done about it", async ({
    db,
    service,
    company,
  }) => {
    await makeCustomer(db.database, customer);
    const page = await PayPage.make(service, company);
    await page.post("confirm", { code: await page.codeFor(phone) });
    const poor = await page.get();
    expect(textOf(poor.html)).toContain("Le solde de votre compte ne suffit pas");
    expect(textOf(poor.html)).toContain("Réessayer avec le •• •• •• 67");

    // Too soon for another code: the reason gives way to the wait, and the phone stays.
    await page.post("code", { again: "1" });
    expect(textOf((await page.get()).html)).toMatch(/Un nouveau est possible dans \d+ secondes/);
    await passCodeTime(db.database, 31);
    await fillWallet(db, service, company, customer, 50_000);
    await page.post("code", { again: "1" });
    await page.post("confirm", { code: await shownCode(page) });
    expect(textOf((await page.get()).html)).toContain("Paiement effectué");

    const declined = await PayPage.make(service, company);
    await declined.post("confirm", { code: await declined.codeFor(`+${decliner}`) });
    expect(textOf((await declined.get()).html)).toContain("Le paiement a été refusé");
  });

  test("an attempt that failed through the API is told here too", async ({ service, company }) => {
    const page = await PayPage.make(service, company);
    await new ChargeClient(service, company).pay(page.chargeId, decliner);

    const { html } = await page.get();
    expect(textOf(html)).toContain("Le paiement n’a pas abouti");
    expect(html).toContain('id="phone"');
  });

  test("nothing can be done any more to what is paid or dropped", async ({
    db,
    service,
    company,
  }) => {
    const paid = await PayPage.make(service, company);
    await new ChargeClient(service, company).pay(paid.chargeId);
    const dropped = await PayPage.make(service, company);
    await dropped.post("cancel");

    for (const page of [paid, dropped]) {
      const before = await chargeOf(db, page);
      for (const [action, fields] of [
        ["code", { phone }],
        ["confirm", { code: "123456" }],
        ["cancel", {}],
        ["change", {}],
      ] as const)
        expect((await page.post(action, fields)).status).toBe(303);
      expect(await chargeOf(db, page)).toEqual(before);
    }
    expect(await db.database.query(sql`select 1 from one_time_codes`)).toEqual([]);
  });

  test("no page that the link leads to shows a whole number or another's link", async ({
    db,
    service,
    company,
  }) => {
    await makeCustomer(db.database, customer);
    const other = await PayPage.make(service, company);
    const page = await PayPage.make(service, company);
    const pages: string[] = [(await page.get()).html];
    await page.post("code", { phone: "77 123 45 67" });
    pages.push((await page.get()).html);
    await page.post("confirm", { code: await page.codeFor(phone) });
    pages.push((await page.get()).html);
    await page.post("change");
    await page.post("confirm", { code: await page.codeFor(payer) });
    pages.push((await page.get()).html);
    for (const html of pages) {
      // The example of a number that the page gives is this customer's.
      const own = html.replaceAll("77\u00a0123\u00a045\u00a067", "");
      expect(own.replaceAll(/\s/g, "")).not.toMatch(/771234567|0700000000/);
      expect(html).not.toContain(other.path);
      expect(html).not.toContain(company.accessToken);
    }
  });
});

async function shownCode(page: PayPage): Promise<string> {
  return /<b>(\d{6})<\/b>/.exec((await page.get()).html)?.[1] ?? "";
}

async function chargeOf({ database }: TestDatabase, page: PayPage) {
  const rows = await database.query<{ status: string; attempts: number }>(sql`
    select status, attempts from charges where id = ${page.chargeId}`);
  return rows[0] ?? { status: "none", attempts: -1 };
}
