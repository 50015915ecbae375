import type { App } from "../../http/server.ts";
import type { AuditState } from "../../ledger/record-audit.ts";
import { type Health, readHealth } from "../../operations/read-health.ts";
import { stuckAfterSeconds } from "../../operations/stuck-work.ts";
import { formatAmount, formatDuration, formatShortMoment } from "../../pages/format.ts";
import { transferQueue } from "../../transfers/settle-transfers.ts";
import type { ConsoleParts } from "../parts.ts";
import { Status, type Tone } from "../views/status.tsx";
import { Table } from "../views/table.tsx";
import { Budgets } from "./budgets.tsx";
import { type OperatorContext, operatorScreen } from "./operator-screen.ts";

/** As the alerts have it. */
const undeliveredMaxSeconds = 6 * 3_600;
const auditMaxMs = 30 * 3_600_000;
const lockWaitMaxSeconds = 5;

export function healthScreens(app: App, parts: ConsoleParts): void {
  const { database, config, clock } = parts;
  operatorScreen(app, parts, "/console/operations", async (context) => {
    const health = await readHealth(database, config);
    const words = context.shared.health;
    return context.send({
      title: words.title,
      content: (
        <>
          <h1>{words.title}</h1>
          <p class="soft">{words.what}</p>
          <div class="cards figures">
            <Pending context={context} health={health} />
            <Undelivered context={context} health={health} />
            <Audit context={context} audit={health.lastAudit} now={clock()} />
            <DatabaseState context={context} health={health} />
          </div>
          <Queues context={context} health={health} />
          <Budgets words={words} caption={words.budgets} budgets={health.budgets} />
          <Nodes context={context} health={health} />
        </>
      ),
    });
  });
}

interface Seen {
  readonly context: OperatorContext;
  readonly health: Health;
}

function Figure({
  context: { shared },
  id,
  title,
  tone,
  large,
  text,
}: {
  readonly context: OperatorContext;
  readonly id: string;
  readonly title: string;
  readonly tone: Exclude<Tone, "idle">;
  readonly large: string;
  readonly text?: string | undefined;
}) {
  const { fine, look, bad } = shared.health;
  return (
    <section class="card figure" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="large">{large}</p>
      <p>
        <Status tone={tone} word={{ good: fine, wait: look, bad }[tone]} />
      </p>
      {text !== undefined && <p class="soft">{text}</p>}
    </section>
  );
}

function Pending({ context, health }: Seen) {
  const { words, shared } = context;
  const queue = health.queues.find(({ queue: name }) => name === transferQueue);
  const age = queue?.ageSeconds ?? 0;
  const isEmpty = (queue?.depth ?? 0) === 0;
  return (
    <Figure
      context={context}
      id="pending"
      title={shared.health.pending}
      tone={age > stuckAfterSeconds ? "bad" : "good"}
      large={isEmpty ? "—" : formatDuration(words, age)}
      text={
        isEmpty
          ? shared.health.noPending
          : shared.health.inFlight(formatAmount(words, health.inFlightFrancs))
      }
    />
  );
}

function Undelivered({ context, health: { deliveries } }: Seen) {
  const { words, shared } = context;
  const pending = deliveries.waiting.find(({ status }) => status === "pending");
  const age = pending?.ageSeconds ?? 0;
  const text = shared.health.breakers(deliveries.openBreakers);
  return (
    <Figure
      context={context}
      id="told"
      title={shared.health.told}
      tone={age > undeliveredMaxSeconds ? "bad" : deliveries.openBreakers > 0 ? "wait" : "good"}
      large={pending === undefined ? "—" : formatDuration(words, age)}
      text={
        pending === undefined
          ? shared.health.noTold
          : `${shared.health.toldCount(pending.count)}${text}`
      }
    />
  );
}

function Audit({
  context,
  audit,
  now,
}: {
  readonly context: OperatorContext;
  readonly audit: AuditState | undefined;
  readonly now: Date;
}) {
  const { words, shared, timeZone } = context;
  const { health } = shared;
  const shown = { context, id: "audit", title: health.audit };
  if (audit === undefined)
    return <Figure {...shown} tone="bad" large={shared.never} text={health.auditNone} />;
  const isOld = now.getTime() - audit.endedAt.getTime() > auditMaxMs;
  const isBad = audit.differences > 0;
  const said = isBad ? health.auditBad(audit.differences) : health.auditGood;
  const took = health.auditTook(formatDuration(words, audit.seconds));
  return (
    <Figure
      {...shown}
      tone={isBad ? "bad" : isOld ? "wait" : "good"}
      large={formatShortMoment(words, timeZone, audit.endedAt)}
      text={`${said}${isBad ? "" : ","} ${took}${isOld ? `. ${health.auditOld}` : ""}`}
    />
  );
}

function DatabaseState({ context, health: { locks, serverProblems, connections } }: Seen) {
  const { words, shared } = context;
  const { health } = shared;
  const isHeld = locks.seconds > lockWaitMaxSeconds;
  const [requests] = connections;
  const texts = [
    ...(locks.waiters > 0
      ? [health.locks(locks.waiters, formatDuration(words, locks.seconds))]
      : []),
    ...(serverProblems > 0 ? [health.servers(serverProblems)] : []),
    ...(requests === undefined ? [] : [health.pool(requests.inUse, requests.max)]),
  ];
  return (
    <Figure
      context={context}
      id="database"
      title={health.database}
      tone={isHeld ? "bad" : serverProblems > 0 ? "wait" : "good"}
      large={health.databaseGood}
      text={texts.join(". ")}
    />
  );
}

function Queues({ context: { words, shared }, health }: Seen) {
  const { names, ...said } = shared.health;
  return (
    <Table
      caption={said.queues}
      rows={health.queues}
      keyOf={({ queue }) => queue}
      columns={[
        {
          key: "queue",
          title: said.queue,
          isHead: true,
          cell: ({ queue }) => names[queue] ?? queue,
        },
        { key: "depth", title: said.depth, isNumber: true, cell: ({ depth }) => depth },
        {
          key: "age",
          title: said.age,
          cell: ({ depth, ageSeconds }) => (depth === 0 ? "—" : formatDuration(words, ageSeconds)),
        },
      ]}
    />
  );
}

function Nodes({ context: { words, shared, timeZone }, health }: Seen) {
  const said = shared.health;
  return (
    <Table
      caption={said.nodes}
      rows={health.nodes}
      keyOf={({ name, address }) => `${name} ${address}`}
      columns={[
        {
          key: "name",
          title: said.node,
          isHead: true,
          cell: ({ name }) => <span class="code">{name}</span>,
        },
        { key: "address", title: said.address, cell: ({ address }) => address ?? said.local },
        {
          key: "since",
          title: shared.since,
          cell: ({ since }) => (
            <span class="moment">{formatShortMoment(words, timeZone, since)}</span>
          ),
        },
        {
          key: "connections",
          title: said.connections,
          isNumber: true,
          cell: ({ connections }) => connections,
        },
      ]}
    />
  );
}
