import { sql } from "../../src/database/sql.ts";
import type { PartReport } from "../part.ts";
import type { Disagreement } from "./clock.ts";
import { makeCharge } from "./make-charge.ts";
import type { WrongClock } from "./wrong-clock.ts";

const phone = "2250700000000";

/** A code lives five minutes of the database's time, whoever sent it and whoever checks it. */
export async function attackCodes(scene: Disagreement): Promise<PartReport> {
  const { ahead, behind } = scene;
  const findings: string[] = [];
  const cases = [
    { name: "fresh", sender: ahead, checker: behind, ageSeconds: 0, expected: "paid" },
    { name: "nearly old", sender: behind, checker: ahead, ageSeconds: 280, expected: "paid" },
    { name: "too old", sender: ahead, checker: behind, ageSeconds: 301, expected: "due" },
    { name: "too old", sender: behind, checker: ahead, ageSeconds: 301, expected: "due" },
  ];
  for (const [index, { name, sender, checker, ageSeconds, expected }] of cases.entries()) {
    const status = await payByPage(scene, sender, checker, ageSeconds, `code ${index}`);
    if (status !== expected)
      findings.push(`a charge is ${status} after a ${name} code, not ${expected}`);
  }
  return { counts: { codes: cases.length }, findings };
}

/** Returns what became of the charge. */
async function payByPage(
  scene: Disagreement,
  sender: WrongClock,
  checker: WrongClock,
  ageSeconds: number,
  name: string,
): Promise<string> {
  const { place, clientOf } = scene;
  const charge = await makeCharge(scene, sender, name);
  // Only the code is to be a matter of minutes here.
  await place.database.execute(sql`
    update charges set expires_at = now() + interval '1 hour' where id = ${charge.id}`);
  // Codes of earlier rounds would count against the limits of this phone.
  await place.database.execute(sql`delete from one_time_codes where msisdn = ${phone}`);
  const { pathname } = new URL(charge.paymentUrl);
  const cookie = await post(`${sender.url}${pathname}/code`, { phone });
  const page = await (await fetch(`${checker.url}${pathname}`, { headers: { cookie } })).text();
  const code = /<b>(\d{6})<\/b>/.exec(page)?.[1];
  if (code === undefined) throw new Error("the page shows no code");
  await place.database.execute(sql`
    update one_time_codes set sent_at = sent_at - make_interval(secs => ${ageSeconds})
    where msisdn = ${phone}`);
  await post(`${checker.url}${pathname}/confirm`, { code }, cookie);
  return (await clientOf(checker).get(`/v1/charges/${charge.id}`)).status;
}

/** Returns the cookie by which the browser is recognised. */
async function post(url: string, fields: Record<string, string>, cookie = ""): Promise<string> {
  const answer = await fetch(url, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { cookie },
    redirect: "manual",
  });
  if (answer.status !== 303) throw new Error(`${url} answered ${answer.status}`);
  return answer.headers.get("set-cookie")?.split(";", 1)[0] ?? cookie;
}
