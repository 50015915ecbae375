import { formatShortMoment } from "../../pages/format.ts";
import type { LoggedDelivery } from "../../webhooks/deliveries.ts";
import type { Webhook } from "../../webhooks/webhook.ts";
import { Field, Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Status } from "../views/status.tsx";
import { Facts, Table } from "../views/table.tsx";
import { type OperatorEndpointWords, operatorEndpointWords } from "../words/operator-endpoints.ts";
import type { OperatorContext } from "./operator-screen.ts";
import { ReasonField } from "./reason.tsx";

/** One webhook: what it is, how it answered of late, and what can safely be done. */
export function EndpointView({
  context,
  webhook,
  company,
  deliveries,
  problem,
}: {
  readonly context: OperatorContext;
  readonly webhook: Webhook;
  readonly company: { readonly id: string; readonly name: string };
  readonly deliveries: readonly LoggedDelivery[];
  /** The form whose reason is missing. */
  readonly problem: "enable" | "replay" | undefined;
}) {
  const { words: frame, shared, href } = context;
  const words = operatorEndpointWords[context.language].endpoints;
  const isDisabled = webhook.disabledAt !== null;
  return (
    <>
      <p>
        <a href={href("/console/operations/endpoints")}>{shared.back}</a>
      </p>
      <h1>{words.view(webhook.url)}</h1>
      {problem !== undefined && (
        <Problems
          title={frame.problem}
          problems={[{ field: `${problem}-reason`, text: shared.reasonProblem }]}
        />
      )}
      <section class="card">
        <Facts
          facts={[
            [words.id, <span class="code">{webhook.id}</span>],
            [
              shared.company,
              <a href={href(`/console/operations/companies/${company.id}`)}>{company.name}</a>,
            ],
            [words.topic, webhook.topic],
            [
              words.state,
              <Status
                tone={isDisabled ? "bad" : "good"}
                word={
                  isDisabled ? `${words.disabled} (${webhook.disabledReason})` : words.inService
                }
              />,
            ],
          ]}
        />
      </section>
      {isDisabled ? (
        <Enable context={context} words={words} id={webhook.id} problem={problem} />
      ) : (
        <Replay context={context} words={words} id={webhook.id} problem={problem} />
      )}
      <Deliveries context={context} words={words} deliveries={deliveries} />
    </>
  );
}

interface MendProps {
  readonly context: OperatorContext;
  readonly words: OperatorEndpointWords["endpoints"];
  readonly id: string;
  readonly problem: "enable" | "replay" | undefined;
}

function Enable({ context, words, id, problem }: MendProps) {
  const { shared } = context;
  return (
    <section class="card" aria-labelledby="enable">
      <h2 id="enable">{words.enable}</h2>
      <p>{words.enableWhat}</p>
      <Form
        context={context}
        path={`/console/operations/endpoints/${id}/enable`}
        submit={words.enable}
      >
        <ReasonField
          words={shared}
          id="enable-reason"
          problem={problem === "enable" ? shared.reasonProblem : undefined}
        />
      </Form>
      <p class="soft">{words.replayOff}</p>
    </section>
  );
}

function Replay({ context, words, id, problem }: MendProps) {
  const { shared } = context;
  return (
    <section class="card" aria-labelledby="replay">
      <h2 id="replay">{words.replay}</h2>
      <p>{words.replayWhat}</p>
      <Form
        context={context}
        path={`/console/operations/endpoints/${id}/replay`}
        submit={words.replay}
      >
        <Field id="hours" label={words.hours}>
          {(described) => (
            <select {...described}>
              {Object.entries(words.periods).map(([hours, name]) => (
                <option key={hours} value={hours}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <ReasonField
          words={shared}
          id="replay-reason"
          problem={problem === "replay" ? shared.reasonProblem : undefined}
        />
      </Form>
    </section>
  );
}

function Deliveries({
  context: { words: frame, timeZone, shared },
  words,
  deliveries,
}: {
  readonly context: OperatorContext;
  readonly words: OperatorEndpointWords["endpoints"];
  readonly deliveries: readonly LoggedDelivery[];
}) {
  if (deliveries.length === 0) return null;
  return (
    <Table
      caption={words.lastAnswers}
      rows={deliveries}
      keyOf={({ eventNumber }) => String(eventNumber)}
      columns={[
        {
          key: "delivery",
          title: words.delivery,
          isHead: true,
          cell: ({ eventNumber }) => eventNumber,
        },
        {
          key: "created",
          title: shared.since,
          cell: ({ createdAt }) => (
            <span class="moment">{formatShortMoment(frame, timeZone, createdAt)}</span>
          ),
        },
        { key: "status", title: words.state, cell: ({ status }) => words.statuses[status] },
        {
          key: "attempts",
          title: words.attempts,
          isNumber: true,
          cell: ({ attempts }) => attempts,
        },
        {
          key: "answer",
          title: words.answer,
          cell: ({ log }) => {
            const last = log.at(-1);
            return (
              <span class="anywhere">{last?.error ?? last?.statusCode ?? words.noAnswer}</span>
            );
          },
        },
      ]}
    />
  );
}
