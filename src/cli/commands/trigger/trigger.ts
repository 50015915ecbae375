import type { Cauri, Events } from "@cauri/sdk";
import { toVisible } from "../../../kernel/visible.ts";
import type { Topic } from "../../../webhooks/event.ts";
import { callService, notKnown } from "../../call-service.ts";
import { commandFor, type Login, optionWords } from "../../command-for.ts";
import type { Outcome } from "../../context.ts";
import { CallFailed, CannotBeTriggered } from "../../errors.ts";
import { needStaging } from "../../need-staging.ts";
import { type ClientOptions, findClient, readClient } from "../../read-client.ts";
import { say } from "../../say.ts";
import {
  type ChargeStatus,
  type Ingredients,
  type Made,
  makeChargeEvent,
  makers,
} from "./makers.ts";

export interface TriggerOptions extends ClientOptions {
  readonly amount?: number;
  readonly status: ChargeStatus;
  readonly timeout: number;
}

type Told = Events["data"][number];

/** The service is asked to wait so long for an event; then it is asked again. */
const waitSecondsMax = 20;

/** Makes something happen, in staging, and shows the event that the service tells of it. */
export async function triggerCommand(topic: Topic, options: TriggerOptions): Promise<Outcome> {
  if (topic === "statements/sealed") {
    const known = await findClient(process.env, options);
    const listen = commandFor(known, "webhooks", "listen", "--topics", topic, "--after", "0");
    throw new CannotBeTriggered(
      `${topic} cannot be triggered: it tells that a day is over. It comes after midnight of the account's time zone, or when the operator runs \`cauri seal\`. To see one that came: ${listen}`,
    );
  }
  const client = await readClient(process.env, options);
  const whenUnknown = "In staging no money is real: simply trigger it again.";
  return callService(client, { whenUnknown }, async (cauri) => {
    const { company, numbers } = await needStaging(cauri, "trigger");
    // Where "now" is has to be known before it happens.
    const { lastSequence: before } = await cauri.webhooks.events({ after: "latest" }).page();
    const amount = options.amount ?? company.transferAmount.min;
    const made = await make(topic, { cauri, amount, numbers, url: client.url }, options);
    say(toVisible(`Made ${made.id}; waiting for its event …`));
    const event = await waitForEvent(cauri, topic, made, before, options.timeout);
    if (event === undefined) throw tooLate(client, topic, made, before, options.timeout);
    return { value: event, text: describeEvent(client, event) };
  });
}

function make(
  topic: Exclude<Topic, "statements/sealed">,
  ingredients: Ingredients,
  { status }: TriggerOptions,
): Promise<Made> {
  return topic === "charge/events"
    ? makeChargeEvent(ingredients, status)
    : makers[topic](ingredients);
}

async function waitForEvent(
  cauri: Cauri,
  topic: Topic,
  made: Made,
  before: number,
  timeoutSeconds: number,
): Promise<Told | undefined> {
  const endMs = performance.now() + timeoutSeconds * 1_000;
  for (let after = before; ; ) {
    const leftSeconds = Math.ceil((endMs - performance.now()) / 1_000);
    if (leftSeconds <= 0) return undefined;
    const wait = Math.min(leftSeconds, waitSecondsMax);
    const page = await cauri.webhooks.events({ topics: topic, wait }).page(after);
    const found = page.data.find(({ payload }) => isAbout(payload.data, made));
    if (found !== undefined) return found;
    after = page.lastSequence;
  }
}

function isAbout(data: Readonly<Record<string, unknown>>, { id, status }: Made): boolean {
  return data["id"] === id && (status === undefined || data["status"] === status);
}

function tooLate(
  client: Login,
  topic: Topic,
  { id }: Made,
  before: number,
  seconds: number,
): CallFailed {
  const after = String(before);
  const listen = commandFor(client, "webhooks", "listen", "--topics", topic, "--after", after);
  return new CallFailed(
    `${id} was made, and no ${topic} was told of it within ${seconds} s. It may still come: ${listen}`,
    { code: "no_event_yet", exitCode: notKnown, facts: { id, topic, after: before } },
  );
}

function describeEvent(client: Login, { sequence, topic, createdAt, payload }: Told): string {
  const listen = { "--forward-to": "http://localhost:3000/hooks", "--after": sequence - 1 };
  return [
    toVisible(`Event ${sequence}, ${topic}, ${createdAt}:`),
    JSON.stringify(payload, null, 2),
    "Webhooks of this topic are sent this body. To hand it to a program on this machine:",
    commandFor(client, "webhooks", "listen", ...optionWords(listen)),
  ].join("\n");
}
