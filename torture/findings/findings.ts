import { Site } from "../cost/site.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import { accountFindings } from "./accounts.ts";
import { addressFindings } from "./addresses.ts";
import { eventLoopFindings } from "./event-loop.ts";
import type { Finding } from "./finding.ts";
import { fourEyesFindings } from "./four-eyes.ts";
import { crowdFindings, lockoutFindings } from "./lockout.ts";
import { statementFindings } from "./statements.ts";
import { textFindings } from "./text.ts";
import { webhookFindings } from "./webhooks.ts";

/** Side by side: people wait for codes of their second factor, and nobody for another group. */
const groups: readonly (readonly Finding[])[] = [
  accountFindings,
  fourEyesFindings,
  lockoutFindings,
  [...addressFindings, ...textFindings, ...webhookFindings, ...statementFindings],
];
/** One after the other, when nobody else is there: they leave much work behind, or a service that has to be started again. */
const alone: readonly Finding[] = [...eventLoopFindings, ...crowdFindings];

const inOrder = new Intl.Collator("en", { numeric: true });

/** Behind a proxy that the service trusts, so that everybody has an address of their own. */
const environment = { TRUST_PROXY: "1" };

export const findings: Part = {
  name: "findings",
  promises:
    "Nothing that was once found in a release is there any more: each is done again as it was done then, by addresses, commands and files alone.",
  run: (campaign) =>
    Site.open({ root: campaign.program, environment }, (site) => tryAll(campaign, site)),
};

async function tryAll({ deadline, progress, note }: Campaign, site: Site): Promise<PartReport> {
  const counts: Record<Outcome["kind"], number> = { held: 0, fell: 0, untried: 0 };
  const problems: string[] = [];
  const inTurn = async (group: readonly Finding[]) => {
    for (const finding of group) {
      if (deadline.aborted) return;
      progress(finding.name);
      const { kind, seen } = await tryOne(finding, site);
      counts[kind] += 1;
      const told = `${finding.name}: ${seen}`;
      if (kind !== "held") problems.push(`${told}. It should be: ${finding.promise}`);
      note(`${kind.padEnd("untried".length)} ${told}`);
    }
  };
  await Promise.all(groups.map(inTurn));
  await inTurn(alone);
  return {
    counts,
    findings: problems.toSorted((one, other) => inOrder.compare(one, other)),
  };
}

interface Outcome {
  /** Untried: a step on the way there failed, so that nobody knows whether it holds. That is no good answer either. */
  readonly kind: "held" | "fell" | "untried";
  readonly seen: string;
}

async function tryOne({ reproduce }: Finding, site: Site): Promise<Outcome> {
  try {
    const observations = await reproduce(site);
    const bad = observations.filter(({ isGood }) => !isGood);
    const isHeld = bad.length === 0;
    const seen = (isHeld ? observations : bad).map((one) => one.seen).join("; ");
    return { kind: isHeld ? "held" : "fell", seen };
  } catch (error) {
    return { kind: "untried", seen: error instanceof Error ? `${error.stack}` : String(error) };
  }
}
