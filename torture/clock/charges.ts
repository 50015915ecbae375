import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../src/database/sql.ts";
import type { PartReport } from "../part.ts";
import type { Disagreement } from "./clock.ts";
import { makeCharge } from "./make-charge.ts";

const dropLimitMs = 30_000;
const pollMs = 100;

/** Charges made by either service are due at both until the database says otherwise, and then at neither. */
export async function attackCharges(scene: Disagreement): Promise<PartReport> {
  const { ahead, behind, clientOf, place } = scene;
  const findings: string[] = [];
  const charges = [
    { maker: "ahead", id: (await makeCharge(scene, ahead, "early")).id },
    { maker: "behind", id: (await makeCharge(scene, behind, "late")).id },
  ];
  const paid = (await makeCharge(scene, ahead, "paid")).id;
  const body = { recipientMsisdn: "2250700000000" };
  const answer = await clientOf(behind).send({
    method: "POST",
    path: `/v1/charges/${paid}/pay`,
    body,
  });
  if (answer.kind !== "ok" || answer.body.status !== "paid")
    findings.push(`a charge in time could not be paid: ${JSON.stringify(answer)}`);

  const deadline = performance.now() + dropLimitMs;
  for (const { maker, id } of charges) {
    for (;;) {
      const left = await secondsLeft(scene, id);
      const seen = await Promise.all(
        [ahead, behind].map(async (one) => (await clientOf(one).get(`/v1/charges/${id}`)).status),
      );
      // Asked before, so that it can only have become less meanwhile.
      if (left <= 0) {
        if (seen.some((status) => status !== "dropped"))
          findings.push(
            `a charge made by the service ${maker} is ${seen.join(", ")} after its time`,
          );
        break;
      }
      const leftAfter = await secondsLeft(scene, id);
      if (leftAfter > 0 && seen.some((status) => status !== "due"))
        findings.push(
          `a charge made by the service ${maker} is ${seen.join(", ")} ${leftAfter} s too early`,
        );
      if (performance.now() > deadline) {
        findings.push(`a charge made by the service ${maker} has ${left} s left, and does not end`);
        break;
      }
      await sleep(pollMs);
    }
  }
  const early = await place.database.query<{ id: string }>(sql`
    select id from charges where dropped_reason = 'EXPIRED' and updated_at < expires_at - interval '1 ms'`);
  for (const { id } of early) findings.push(`charge ${id} was dropped before its time was over`);
  return { counts: { charges: charges.length + 1 }, findings };
}

async function secondsLeft({ place }: Disagreement, id: string): Promise<number> {
  const [row] = await place.database.query<{ seconds: number }>(sql`
    select extract(epoch from expires_at - clock_timestamp())::float8 as seconds
    from charges where id = ${id}`);
  return row?.seconds ?? Number.NaN;
}
