import type { Logger } from "pino";
import type { Database, Tx } from "../database/database.ts";
import type { AskForLogo, Logo, LogoAnswer } from "./logo.ts";
import { readLogo } from "./logo-image.ts";
import {
  giveLogoUp,
  keepLogo,
  postponeLogo,
  selectDueLogos,
  selectNextLogoMs,
  type WaitingLogo,
} from "./logos-store.ts";

export { logoQueue } from "./logos-store.ts";

export interface LogoFetching {
  readonly database: Database;
  readonly logger: Logger;
  readonly ask: AskForLogo;
}

/** Asked for side by side, so that a turn takes no longer than the slowest answer. */
const logosAtOnceMax = 4;
/** The pauses after the first try, the second, …: a server that is away for an afternoon is waited for. */
const delaysSeconds = [60, 600, 3_600, 6 * 3_600];

/** One company's turn: asks for the logos that are due, a few of them, each once. */
export async function fetchLogos(fetching: LogoFetching, companyId: string): Promise<void> {
  const due = await selectDueLogos(fetching.database, companyId, logosAtOnceMax);
  await Promise.all(due.map((waiting) => fetchLogo(fetching, companyId, waiting)));
}

export async function nextLogoMs(tx: Tx, companyId: string): Promise<number | undefined> {
  return selectNextLogoMs(tx, companyId);
}

async function fetchLogo(
  { database, logger, ask }: LogoFetching,
  companyId: string,
  waiting: WaitingLogo,
): Promise<void> {
  const answer = await ask(companyId, waiting.url);
  if (answer.kind === "given-up") return;
  const outcome = judge(answer);
  if (outcome.kind === "logo") {
    await keepLogo(database, companyId, waiting.url_hash, outcome.logo);
    return;
  }
  const delaySeconds = outcome.isFinal ? undefined : delaysSeconds[waiting.tries];
  if (delaySeconds === undefined) {
    logger.info({ companyId, problem: outcome.problem }, "a logo was given up");
    await giveLogoUp(database, companyId, waiting, outcome.problem);
  } else {
    await postponeLogo(database, companyId, waiting, outcome.problem, delaySeconds);
  }
}

type Outcome =
  | { readonly kind: "logo"; readonly logo: Logo }
  | { readonly kind: "problem"; readonly problem: string; readonly isFinal: boolean };

/**
 * A server that is away, or answers anything but 200, may do better later. One that sends something else than
 * a small picture will send it again.
 */
function judge(answer: Exclude<LogoAnswer, { kind: "given-up" }>): Outcome {
  if (answer.kind === "forbidden") return problem(`refused: ${answer.reason}`, true);
  if (answer.kind === "failed") return problem(answer.reason, false);
  if (answer.statusCode !== 200) return problem(`answered ${answer.statusCode}`, false);
  const logo = readLogo(answer.body, answer.isCut);
  return typeof logo === "string" ? problem(logo, true) : { kind: "logo", logo };
}

function problem(text: string, isFinal: boolean): Outcome {
  return { kind: "problem", problem: text, isFinal };
}
