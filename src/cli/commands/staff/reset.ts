import { resetPerson } from "../../../access/links.ts";
import { operator } from "../../../trail/actor.ts";
import { confirm } from "../../confirm.ts";
import type { Context, Outcome } from "../../context.ts";
import { findClock } from "../../find-clock.ts";
import type { Yes } from "../../run.ts";
import { describeLink } from "./describe-link.ts";

export async function resetStaffCommand(
  context: Context,
  email: string,
  options: Yes,
): Promise<Outcome> {
  const yes = options.yes === true || !process.stdin.isTTY;
  await confirm(
    `Have you made sure that it is ${email} who asks? Password, second factor and sessions end at once.`,
    { yes },
  );
  const by = operator("staff reset");
  const { token, expiresAt } = await resetPerson(context.database, new Date(), email, by);
  const { link, notes } = describeLink(context.config, token);
  const clock = await findClock(context, undefined);
  return {
    value: { email, link, expiresAt: expiresAt.toISOString() },
    text: [
      `${email} chooses a password and a second factor anew by this link. It is shown this once:`,
      `  ${link}`,
      ...notes,
      `It is good once, until ${clock.spell(expiresAt)}.`,
    ].join("\n"),
  };
}
