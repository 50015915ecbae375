import { formatShortMoment } from "../pages/format.ts";
import type { History } from "../webhooks/find-history.ts";
import type { Step } from "./views/steps.tsx";
import type { FrameWords } from "./words/frame.ts";

/** What a section says of notifications. */
interface ToldWords {
  readonly told: (url: string) => string;
  readonly telling: (url: string) => string;
  readonly notTold: (url: string) => string;
  readonly attempts: (count: number) => string;
  readonly nextAttempt: (moment: string) => string;
}

/** Who was told of it, and how far that has got. `aboutOf` says in a word what an event of a topic told. */
export function toldSteps(
  history: History,
  {
    words,
    frame,
    timeZone,
    aboutOf,
  }: {
    readonly words: ToldWords;
    readonly frame: FrameWords;
    readonly timeZone: string;
    readonly aboutOf?: (topic: string) => string;
  },
): Step[] {
  const topics = new Map(history.events.map(({ number, topic }) => [number, topic]));
  return history.deliveries.map((delivery) => {
    const { status, url, attempts, nextAttemptAt, updatedAt: at } = delivery;
    const note = [
      ...(aboutOf === undefined ? [] : [aboutOf(topics.get(delivery.eventNumber) ?? "")]),
      words.attempts(attempts),
      ...(nextAttemptAt === null
        ? []
        : [words.nextAttempt(formatShortMoment(frame, timeZone, nextAttemptAt))]),
    ].join(", ");
    if (status === "delivered") return { at, tone: "good", what: words.told(url), note };
    return status === "pending" || status === "blocked"
      ? { at, tone: "wait", what: words.telling(url), note }
      : { at, tone: "idle", what: words.notTold(url), note };
  });
}
