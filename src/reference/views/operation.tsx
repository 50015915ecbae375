import { inLanguage } from "../../kernel/language.ts";
import { type ApiError, apiErrors } from "../api-errors.ts";
import type { Answer, Operation, Parameter } from "../read-reference.ts";
import { samplesOf } from "../samples/samples.ts";
import { Code, SampleBlocks, toJson } from "./code.tsx";
import { Fields } from "./fields.tsx";
import { anchors, type Frame, say } from "./frame.ts";

interface OperationProps {
  readonly frame: Frame;
  readonly operation: Operation;
}

/** Everything about one operation: what it is asked, what it answers, and how a program asks it. */
export function OperationSection({ frame, operation }: OperationProps) {
  const { words, reference } = frame;
  const [answer] = operation.answers;
  return (
    <section id={operation.id} class="op">
      <div>
        <h3>
          <a href={`#${operation.id}`}>{say(frame, operation.summary)}</a>
        </h3>
        <p class="path">
          <b class={operation.method.toLowerCase()}>{operation.method}</b>{" "}
          <code>{operation.path}</code>
        </p>
        <p>{say(frame, operation.description)}</p>
        <p class="tags">
          <span>
            {operation.needsToken ? words.operation.needsToken : words.operation.isPublic}
          </span>
          {operation.takesKey && <span>{words.operation.takesKey}</span>}
        </p>
        <Parameters frame={frame} operation={operation} place="path" />
        <Parameters frame={frame} operation={operation} place="query" />
        <RequestBody frame={frame} operation={operation} />
        <Parameters frame={frame} operation={operation} place="header" />
        <Answers frame={frame} operation={operation} />
      </div>
      <div class="side">
        <SampleBlocks words={words} samples={samplesOf(operation, reference.serverUrl)} />
        {answer?.example !== undefined && (
          <Code
            title={`${words.operation.answer} (${answer.status})`}
            text={toJson(answer.example)}
          />
        )}
      </div>
    </section>
  );
}

function Parameters(props: OperationProps & { readonly place: Parameter["in"] }) {
  const { frame, operation, place } = props;
  const there = operation.parameters.filter((one) => one.in === place);
  if (there.length === 0) return null;
  return (
    <>
      <h4>{frame.words.operation[place]}</h4>
      <Fields frame={frame} of={operation.id} fields={there} />
    </>
  );
}

function RequestBody({ frame, operation: { id, body } }: OperationProps) {
  if (body === undefined) return null;
  const { operation } = frame.words;
  return (
    <>
      <h4>{body.isRequired ? operation.body : operation.bodyOptional}</h4>
      <Fields frame={frame} of={id} fields={body.fields} />
    </>
  );
}

function Answers({ frame, operation }: OperationProps) {
  const { words } = frame;
  return (
    <>
      <h4>{words.operation.answers}</h4>
      <ul class="answers">
        {operation.answers.map((answer) => (
          <li key={answer.status}>
            <p>
              <b class={answer.status < "400" ? "good" : "bad"}>{answer.status}</b>{" "}
              {say(frame, answer.description)} <Content frame={frame} answer={answer} />
            </p>
            {answer.fields.length > 0 && (
              <Fields frame={frame} of={operation.id} fields={answer.fields} isAnswer />
            )}
            <Errors frame={frame} operation={operation} status={answer.status} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Content({ frame: { words }, answer }: { readonly frame: Frame; readonly answer: Answer }) {
  const { contentType, object, example, fields } = answer;
  if (answer.status >= "400") return null;
  if (contentType === undefined) return <>{words.operation.none}</>;
  if (object !== undefined) return <a href={`#${anchors.object(object)}`}>{object}</a>;
  if (example === undefined && fields.length === 0) return <code>{contentType}</code>;
  return null;
}

/** What is this operation's own in words; what it has in common with others by its code. */
function Errors(props: OperationProps & { readonly status: string }) {
  const { frame, operation, status } = props;
  const given = apiErrors.filter(
    (one) => String(one.status) === status && one.isGivenBy(operation),
  );
  const shared = new Set(given.filter(({ isCommon }) => isCommon).map(({ error }) => error.code));
  const own = given.filter(({ isCommon }) => !isCommon);
  return (
    <>
      {own.length > 0 && (
        <dl class="errors">
          {own.map((one) => (
            <OwnError key={one.error.name} frame={frame} one={one} />
          ))}
        </dl>
      )}
      {shared.size > 0 && (
        <p class="soft">
          {[...shared].map((code) => (
            <>
              <a href={`#${anchors.error(code)}`}>{code}</a>{" "}
            </>
          ))}
        </p>
      )}
    </>
  );
}

function OwnError({ frame, one }: { readonly frame: Frame; readonly one: ApiError }) {
  return (
    <div>
      <dt>
        <a href={`#${anchors.error(one.error.code)}`}>{one.error.code}</a>
      </dt>
      <dd>{inLanguage(frame.language, one.error.said)}</dd>
    </div>
  );
}
