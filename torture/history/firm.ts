import { setTimeout as sleep } from "node:timers/promises";
import type { Node } from "../crash/node.ts";
import type { Place } from "../ground.ts";
import type { Scale } from "../part.ts";
import type { Random } from "../random.ts";
import { Client } from "../traffic/client.ts";
import { Receiver } from "../traffic/receiver.ts";
import { untilQuiet } from "../traffic/verify-events.ts";
import { Actor, type Seen } from "./actor.ts";
import type { Told } from "./operation.ts";
import { Operator } from "./operator.ts";
import { digestOf, type Subject } from "./read-final-state.ts";
import type { Recorder } from "./recorder.ts";

const topics = [
  "transactions/started",
  "transactions/completed",
  "transactions/failed",
  "batches/completed",
  "charge/events",
];
/** The test numbers that always and never work, and people with wallets that fill up. */
const people = [
  "2250700000000",
  "2250700000001",
  "2250710000001",
  "2250710000002",
  "2250710000003",
];
/** A client gives up while whoever it asked stands still, and asks the other node for the same. */
const answerLimitMs = 3_000;
/** Of what is no part of the history. */
const patientMs = 120_000;

/** On a busy machine a cluster may just be choosing another primary. */
const commandTries = 30;
const commandPauseMs = 1_000;

/** A command that has to go well. */
// oxlint-disable-next-line typescript/no-explicit-any -- whoever reads a field expects it; a wrong one fails.
async function demand(place: Place, args: readonly string[]): Promise<any> {
  for (let tries = 1; ; tries += 1) {
    const { code, stdout, stderr } = await place.command(args);
    if (code === 0) return JSON.parse(stdout);
    if (tries === commandTries) throw new Error(`cauri ${args.join(" ")}: ${stderr}`);
    await sleep(commandPauseMs);
  }
}

export interface WorkOptions {
  readonly name: string;
  readonly clients: number;
  readonly random: Random;
  readonly recorder: Recorder;
  readonly isOver: () => boolean;
}

/** A company, its clients at both nodes, and its receiver, which hears of everything. */
export class Firm {
  readonly subject: Subject;
  readonly #place: Place;
  readonly #receiver: Receiver;
  readonly #clients: ReadonlyMap<string, Client>;

  private constructor(
    place: Place,
    subject: Subject,
    receiver: Receiver,
    clients: ReadonlyMap<string, Client>,
  ) {
    this.subject = subject;
    this.#place = place;
    this.#receiver = receiver;
    this.#clients = clients;
  }

  /** Made by commands and by the API, as an operator and a business do it with any release. */
  static async open(place: Place, nodes: readonly Node[], fund: number): Promise<Firm> {
    const create = ["company", "create", "History", "--fund", String(fund), "--json"];
    const { companyId: company, accessToken: token } = await demand(place, create);
    for (const msisdn of people.slice(2)) {
      const names = ["--first-name", "Awa", "--last-name", "Diop", "--kyc", "complete"];
      // The second company finds them there.
      await place.command(["customer", "add", msisdn, ...names]);
    }
    const clientOf = (node: Node, limitMs: number) =>
      new Client({ token, url: () => node.url, answerLimitMs: limitMs, givesUp: true });
    const receiver = await Receiver.start();
    const patient = nodes.map((node) => ({ node, client: clientOf(node, patientMs) }));
    const webhookIds = new Map<string, string>();
    for (const topic of topics) {
      const body = { topic, url: receiver.url };
      const answer = await patient[0]?.client.demand({
        method: "POST",
        path: "/v1/webhooks",
        body,
      });
      webhookIds.set(topic, answer.id);
    }
    const subject = {
      company,
      token,
      webhookIds,
      nodes: new Map(patient.map(({ node, client }) => [node.name, { node, client }] as const)),
    };
    const clients = new Map(nodes.map((node) => [node.name, clientOf(node, answerLimitMs)]));
    return new Firm(place, subject, receiver, clients);
  }

  /** Until it is over. */
  async work({ clients, name, random, recorder, isOver }: WorkOptions): Promise<void> {
    const { company } = this.subject;
    const seen: Seen = { transfers: [], references: [], charges: [], lastEvent: 0 };
    const command = (args: readonly string[]) => this.#place.command(args);
    const operator = new Operator({ company, random: random.fork(), recorder, command, isOver });
    const actors = Array.from(
      { length: clients },
      (_, place) =>
        new Actor({
          name: `${name}.${place}`,
          company,
          nodes: this.#clients,
          random: random.fork(),
          recorder,
          people,
          seen,
          isOver,
        }),
    );
    await Promise.all([operator.run(), ...actors.map((actor) => actor.run())]);
  }

  untilQuiet(limitMs: number, scale: Scale): Promise<string[]> {
    return untilQuiet(this.#place.database, limitMs, scale === "short");
  }

  get told(): Told[] {
    const { company } = this.subject;
    return this.#receiver.received.map(({ headers, raw, atMs }) => ({
      company,
      atMs,
      message: String(headers["webhook-id"]),
      digest: digestOf(raw),
    }));
  }

  /** Answers that are wrong in themselves. */
  get oddities(): string[] {
    return [...this.#clients.values()].flatMap(({ oddities }) => oddities);
  }

  async close(): Promise<void> {
    await this.#receiver.stop();
    for (const client of this.#clients.values()) await client.close();
    for (const { client } of this.subject.nodes.values()) await client.close();
  }
}
