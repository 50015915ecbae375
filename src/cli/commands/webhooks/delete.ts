import { callService } from "../../call-service.ts";
import { commandFor } from "../../command-for.ts";
import { confirm } from "../../confirm.ts";
import type { Outcome } from "../../context.ts";
import { type ClientOptions, readClient } from "../../read-client.ts";
import type { Yes } from "../../run.ts";
import { say } from "../../say.ts";
import { describeWebhook } from "./describe.ts";

/** Ends a webhook. What it still had to deliver is cancelled, so a person is asked. */
export async function deleteWebhookCommand(
  id: string,
  options: ClientOptions & Yes,
): Promise<Outcome> {
  const client = await readClient(process.env, options);
  const whenUnknown = `To see whether it is still there: ${commandFor(client, "webhooks", "list")}`;
  return callService(client, { whenUnknown }, async (cauri) => {
    const webhook = await cauri.webhooks.get(id);
    if (options.yes !== true) {
      say(describeWebhook(webhook));
      await confirm("Delete it? What it still had to deliver is cancelled.", options);
    }
    await cauri.webhooks.delete(id);
    return { value: { deleted: webhook }, text: `${id} is deleted.` };
  });
}
