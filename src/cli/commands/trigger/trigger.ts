import type { Cauri, Events } from "@cauri/sdk";
import type { Topic } from "../../../webhooks/event.ts";
import { callService, notKnown } from "../../call-service.ts";
import type { Outcome } from "../../context.ts";
import { CallFailed, CannotBeTriggered, NotStaging } from "../../errors.ts";
import { readClient } from "../../read-client.ts";
import { say } from "../../say.ts";
import {
  type ChargeStatus,
  type Ingredients,
  type Made,
  makeChargeEvent,
  makers,
} from "./makers.ts";

export interface TriggerOptions {
  readonly amount?: number;
  readonly status: ChargeStatus;
  readonly timeout: number;
  readonly url?: string;
}

type Told = Events["data"][number];

/** The service is asked to wait so long for an event; then it is asked again. */
const waitSecondsMax = 20;

/** Makes something happen, in staging, and shows the event that the service tells of it. */
export async function triggerCommand(topic: Topic, options: TriggerOptions): Promise<Outcome> {
  if (topic === "statements/sealed")
    throw new CannotBeTriggered(
      "statements/sealed cannot be triggered: it tells that a day is over. It comes after midnight of the account's time zone, or when the operator runs `cauri seal`. To see one that came: cauri webhooks listen --topics statements/sealed --after 0",
    );
  const client = await readClient(process.env, options);
  const whenUnknown = "In staging no money is real: simply trigger it again.";
  return callService(client, { whenUnknown }, async (cauri) => {
    const { service, transferAmount } = await cauri.company();
    const numbers = service?.testNumbers;
    if (service?.environment !== "staging" || numbers === null || numbers === undefined)
      throw new NotStaging("trigger", service?.environment);
    // Where "now" is has to be known before it happens.
    const { lastSequence: before } = await cauri.webhooks.events({ after: "latest" });
    const amount = options.amount ?? transferAmount.min;
    const made = await make(topic, { cauri, amount, numbers, url: client.url }, options);
    say(`Made ${made.id}; waiting for its event …`);
    const event = await waitForEvent(cauri, topic, made, before, options.timeout);
    if (event === undefined) throw tooLate(topic, made, before, options.timeout);
    return { value: event, text: describeEvent(event) };
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
    const page = await cauri.webhooks.events({ after: String(after), topics: topic, wait });
    const found = page.data.find(({ payload }) => isAbout(payload.data, made));
    if (found !== undefined) return found;
    after = page.lastSequence;
  }
}

function isAbout(data: Readonly<Record<string, unknown>>, { id, status }: Made): boolean {
  return data["id"] === id && (status === undefined || data["status"] === status);
}

function tooLate(topic: Topic, { id }: Made, before: number, seconds: number): CallFailed {
  return new CallFailed(
    `${id} was made, and no ${topic} was told of it within ${seconds} s. It may still come: cauri webhooks listen --topics ${topic} --after ${before}`,
    { code: "no_event_yet", exitCode: notKnown, facts: { id, topic, after: before } },
  );
}

function describeEvent({ sequence, topic, createdAt, payload }: Told): string {
  return [
    `Event ${sequence}, ${topic}, ${createdAt}:`,
    JSON.stringify(payload, null, 2),
    "Webhooks of this topic are sent this body. To hand it to a program on this machine:",
    `cauri webhooks listen --forward-to http://localhost:3000/hooks --after ${sequence - 1}`,
  ].join("\n");
}
