import { toVisibleJson } from "../../../kernel/visible.ts";
import { followEvents } from "../../../listening/follow-events.ts";
import { callService } from "../../call-service.ts";
import { Clock } from "../../clock.ts";
import type { Outcome } from "../../context.ts";
import { counted } from "../../counted.ts";
import { type Client, type ClientOptions, readClient } from "../../read-client.ts";
import { type Json, printLine } from "../../run.ts";
import { say } from "../../say.ts";
import { watchForStop } from "../../stop-signal.ts";
import { describeEvent, type ToldEvent } from "./describe-event.ts";

export interface TailOptions extends ClientOptions, Json {
  /** How many of those that have happened already. */
  readonly last: number;
  readonly after?: number;
  readonly topics?: string;
  readonly follow: boolean;
}

/** Shows what has happened to the account and, until Ctrl-C, what happens. */
export async function tailCommand(options: TailOptions): Promise<Outcome> {
  const client = await readClient(process.env, options);
  const { topics } = options;
  let count = 0;
  const show = (event: ToldEvent, clock: Clock) => {
    printLine(options.json === true ? toVisibleJson(event) : describeEvent(event, clock));
    count += 1;
  };
  const { clock, lastSequence } = await showPast(client, options, show);
  let last = lastSequence;
  if (options.follow) {
    const { signal, close } = watchForStop();
    say(`Following ${client.url}; Ctrl-C ends.`);
    const onAway = (why: string) => say(`The service is away (${why}); going on where it was.`);
    try {
      for await (const event of followEvents(client, { after: last, topics, signal, onAway })) {
        show(event, clock);
        last = event.sequence;
      }
    } finally {
      close();
    }
  }
  return {
    value: { events: count, lastSequence: last },
    text: `${counted(count, "event")}. To go on from here: --after ${last}`,
  };
}

/** What has happened up to now, and where that ends. */
async function showPast(
  client: Client,
  { after, last, topics }: TailOptions,
  show: (event: ToldEvent, clock: Clock) => void,
): Promise<{ readonly clock: Clock; readonly lastSequence: number }> {
  return callService(client, {}, async (cauri) => {
    const clock = new Clock((await cauri.company()).timeZone);
    const latest = await cauri.webhooks.events({ after: "latest" }).page();
    const from = after ?? Math.max(0, latest.lastSequence - last);
    const query = { after: String(from), ...(topics === undefined ? {} : { topics }) };
    let lastSequence = from;
    for await (const page of cauri.webhooks.events(query).pages()) {
      for (const event of page.data) show(event, clock);
      ({ lastSequence } = page);
    }
    return { clock, lastSequence };
  });
}
