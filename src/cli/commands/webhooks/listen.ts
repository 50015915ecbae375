import { InvalidConfiguration } from "../../../kernel/errors.ts";
import { toVisible, toVisibleJson } from "../../../kernel/visible.ts";
import { type FollowedEvent, followEvents } from "../../../listening/follow-events.ts";
import { forwardEvent } from "../../../listening/forward-event.ts";
import { callService } from "../../call-service.ts";
import type { Outcome } from "../../context.ts";
import { counted } from "../../counted.ts";
import { type Client, type ClientOptions, needSecretKey, readClient } from "../../read-client.ts";
import { printLine } from "../../run.ts";
import { say } from "../../say.ts";
import { watchForStop } from "../../stop-signal.ts";
import { type Keys, watchKeys } from "./keys.ts";

const brandDefault = "service";

export interface ListenOptions extends ClientOptions {
  readonly forwardTo?: string;
  readonly topics?: string;
  readonly after?: number;
  readonly brand?: string;
  readonly json?: boolean;
}

/** Hands a company's events on to a program on this machine until it is told to stop. */
export async function listenCommand(options: ListenOptions): Promise<Outcome> {
  const client = await readClient(process.env, options);
  const forward = await readForward(options, client);
  const { signal, stop, close } = watchForStop();
  say(
    `Listening to ${client.url}${forward === undefined ? "" : `, forwarding to ${forward.forwardTo}`}`,
  );

  let last: FollowedEvent | undefined;
  let count = 0;
  const tell = async (event: FollowedEvent) => {
    const answer = forward && (await forwardEvent(forward, event, new Date()));
    printLine(options.json === true ? toJson(event, answer) : toLine(event, answer));
  };
  // One after the other, so that what is sent again does not overtake what is being sent.
  let sending = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => {
    sending = sending.then(work);
    return sending;
  };
  const keys: Keys | undefined = watchKeys({
    r: () => void (last !== undefined && inTurn(() => tell(last as FollowedEvent))),
    s: () => last !== undefined && say(JSON.stringify(last.payload, null, 2)),
    q: stop,
  });
  if (keys !== undefined) say("Keys: r sends the last event again, s shows it, q ends.");
  try {
    const { after, topics } = options;
    const onAway = (why: string) => say(`The service is away (${why}); going on where it was.`);
    for await (const event of followEvents(client, {
      after,
      topics,
      signal,
      onAway,
    })) {
      await inTurn(() => tell(event));
      last = event;
      count += 1;
    }
  } finally {
    keys?.close();
    close();
  }
  await sending;
  const goOn = last === undefined ? "" : ` To go on from here: --after ${last.sequence}`;
  return {
    value: { events: count, lastSequence: last?.sequence ?? null },
    text: `${counted(count, "event")}.${goOn}`,
  };
}

async function readForward({ forwardTo, brand }: ListenOptions, client: Client) {
  if (forwardTo === undefined) return undefined;
  if (!URL.canParse(forwardTo) || !/^https?:/.test(forwardTo))
    throw new InvalidConfiguration([
      "--forward-to must be a URL beginning with http:// or https://.",
    ]);
  const secretKey = needSecretKey(client);
  return { forwardTo, secretKey, brand: brand ?? (await brandOf(client)) };
}

/** What headers are named after: a receiver looks for those of its own service. */
async function brandOf(client: Client): Promise<string> {
  const { service } = await callService(client, {}, (cauri) => cauri.company());
  return service?.brand ?? brandDefault;
}

type Answer = Awaited<ReturnType<typeof forwardEvent>> | undefined;

function toLine({ sequence, topic, payload }: FollowedEvent, answer: Answer): string {
  const { id } = payload.data;
  const said =
    answer === undefined ? "" : `  → ${answer.status ?? answer.error ?? ""} (${answer.ms} ms)`;
  return toVisible(`${String(sequence).padStart(6)}  ${topic}  ${id ?? ""}${said}`);
}

function toJson({ sequence, topic, createdAt, payload }: FollowedEvent, answer: Answer): string {
  return toVisibleJson({
    sequence,
    topic,
    createdAt,
    payload,
    ...(answer === undefined
      ? {}
      : { status: answer.status ?? null, error: answer.error ?? null, ms: answer.ms }),
  });
}
