import { chargeRequest } from "../traffic/charge-request.ts";
import type { Disagreement } from "./clock.ts";
import type { WrongClock } from "./wrong-clock.ts";

export async function makeCharge(
  { clientOf, round }: Disagreement,
  maker: WrongClock,
  name: string,
): Promise<{ readonly id: string; readonly paymentUrl: string }> {
  const answer = await clientOf(maker).send({
    method: "POST",
    path: "/v1/charges",
    body: chargeRequest(`${name} ${round}`, 10_000),
  });
  if (answer.kind === "ok") return answer.body;
  throw new Error(`no charge was made: ${JSON.stringify(answer)}`);
}
