import type { CheckCustomersAnswer } from "@cauri/sdk";
import { spellMsisdn } from "../../../kernel/countries.ts";
import { toDigits } from "../../../kernel/msisdn.ts";
import { callService } from "../../call-service.ts";
import type { Outcome } from "../../context.ts";
import { doubtAbout } from "../../doubt-number.ts";
import { type ClientOptions, readClient } from "../../read-client.ts";
import { say } from "../../say.ts";
import { toFrancs, toTable } from "../../table.ts";

type Person = CheckCustomersAnswer["data"][number];

/** As for a transfer that has failed: one to this number would. */
const wouldFail = 3;

/** Who has a number, and what can be sent to it. */
export async function checkCustomersCommand(
  msisdns: readonly string[],
  options: ClientOptions,
): Promise<Outcome> {
  const client = await readClient(process.env, options);
  return callService(client, {}, async (cauri) => {
    const { country } = await cauri.company();
    for (const msisdn of msisdns) {
      const doubt = doubtAbout(msisdn, country);
      if (doubt !== undefined) say(doubt);
    }
    const people = await cauri.customers.checkMany(msisdns);
    const canAll = people.every((person) => person.amountMax !== 0);
    return {
      value: { count: people.length, data: people },
      text: toTable([
        ["NUMBER", "NAME", "IDENTIFICATION", "CAN RECEIVE"],
        ...people.map((person) => [
          spellMsisdn(toDigits(person.msisdn)),
          person.kycStatus === "unknown" ? "" : `${person.firstName} ${person.lastName}`,
          person.kycStatus,
          describeMost(person),
        ]),
      ]),
      ...(canAll ? {} : { exitCode: wouldFail }),
    };
  });
}

function describeMost({ kycStatus, amountMax }: Person): string {
  if (kycStatus === "unknown") return "nothing: nobody has this number, a transfer would fail";
  if (amountMax === 0) return "nothing now: a transfer would fail";
  return amountMax === null ? "any amount" : `at most ${toFrancs(amountMax)} in all`;
}
