import { readSecretBox } from "./companies/master-key.ts";
import { SigningSecrets } from "./companies/signing-secrets.ts";
import { EgressClient } from "./egress/client.ts";
import type { SecretBox } from "./kernel/secret-box.ts";
import type { Sender } from "./webhooks/attempt.ts";
import type { Shared } from "./workers.ts";

const timeoutMs = 10_000;
const responseBytesMax = 16 * 1024;
/** Somebody waits for each; nobody needs two at once from one address. */
const connectionsMax = 1;

/** Sends test events for people who want to see the answer: through the same guard and with the same secrets as notifications. */
export function openTestSender(
  { config, database, clock, signals }: Pick<Shared, "config" | "database" | "clock" | "signals">,
  box: SecretBox,
): Sender {
  const secrets = new SigningSecrets(database, signals, box, () => readSecretBox(config));
  return {
    client: new EgressClient({ policy: config, timeoutMs, responseBytesMax, connectionsMax }),
    clock,
    brand: config.brand,
    secretsOf: (companyId) => secrets.of(companyId),
  };
}
