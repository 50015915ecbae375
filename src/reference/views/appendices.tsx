import { inLanguage } from "../../kernel/language.ts";
import { apiErrors } from "../api-errors.ts";
import type { Field } from "../read-reference.ts";
import { signatureSamples } from "../samples/signature.ts";
import { stateDiagrams } from "../states.ts";
import { Code, SampleBlocks, toJson } from "./code.tsx";
import { Diagram } from "./diagram.tsx";
import { Fields } from "./fields.tsx";
import { anchors, type Frame, say } from "./frame.ts";

interface FrameProps {
  readonly frame: Frame;
}

/** What is sent to addresses that callers register, and how they know whose it is. */
export function Topics({ frame }: FrameProps) {
  const { words, reference, brand } = frame;
  const { topics } = words;
  const common = reference.topics[0]?.headers ?? [];
  return (
    <section id="topics">
      <h2>{topics.title}</h2>
      <p class="lead">{topics.what}</p>
      <div class="op" id="verify">
        <div>
          <h3>
            <a href="#verify">{topics.verify}</a>
          </h3>
          <p>{topics.verifyWhat}</p>
          <h4>{topics.headers}</h4>
          <Fields frame={frame} of="topics" fields={common} isAnswer />
        </div>
        <div class="side">
          <SampleBlocks
            words={words}
            samples={signatureSamples(brand)}
            names={{ curl: "openssl" }}
          />
        </div>
      </div>
      {reference.topics.map(({ topic, summary, description, headers, object, example }) => (
        <div class="op" id={anchors.topic(topic)} key={topic}>
          <div>
            <h3>
              <a href={`#${anchors.topic(topic)}`}>{topic}</a>
            </h3>
            <p>
              <strong>{say(frame, summary)}.</strong> {say(frame, description)}
            </p>
            <p>
              <a href={`#${anchors.object(object)}`}>{object}</a>
            </p>
            <OwnHeaders frame={frame} headers={notIn(common, headers)} />
          </div>
          <div class="side">
            <Code title={topics.payload} text={toJson(example)} />
          </div>
        </div>
      ))}
    </section>
  );
}

/** Headers that not every notification has. */
function OwnHeaders({ frame, headers }: FrameProps & { readonly headers: readonly Field[] }) {
  if (headers.length === 0) return null;
  return (
    <>
      <h4>{frame.words.topics.ownHeaders}</h4>
      <Fields frame={frame} of="topics" fields={headers} isAnswer />
    </>
  );
}

function notIn(common: readonly Field[], headers: readonly Field[]): Field[] {
  return headers.filter(({ name }) => common.every((one) => one.name !== name));
}

export function States({ frame }: FrameProps) {
  const { states } = frame.words;
  return (
    <section id="states">
      <h2>{states.title}</h2>
      <p class="lead">{states.what}</p>
      <div class="diagrams">
        {stateDiagrams.map((diagram) => (
          <Diagram key={diagram.id} frame={frame} diagram={diagram} />
        ))}
      </div>
    </section>
  );
}

export function Objects({ frame }: FrameProps) {
  const { words, reference } = frame;
  return (
    <section id="objects">
      <h2>{words.objects.title}</h2>
      <p class="lead">{words.objects.what}</p>
      {reference.objects.map(({ name, fields, example }) => (
        <div class="op" id={anchors.object(name)} key={name}>
          <div>
            <h3>
              <a href={`#${anchors.object(name)}`}>{name}</a>
            </h3>
            <Fields frame={frame} of={name} fields={fields} isAnswer />
          </div>
          <div class="side">
            <Code title={words.objects.example} text={toJson(example)} />
          </div>
        </div>
      ))}
    </section>
  );
}

/** Every code once, with all that it may say. */
export function ErrorCodes({ frame }: FrameProps) {
  const { words, language } = frame;
  const codes = [...new Set(apiErrors.map(({ error }) => error.code))];
  return (
    <section id="errors">
      <h2>{words.errors.title}</h2>
      <p class="lead">{words.errors.what}</p>
      <dl class="codes">
        {codes.map((code) => {
          const same = apiErrors.filter(({ error }) => error.code === code);
          return (
            <div id={anchors.error(code)} key={code}>
              <dt>
                <code>{code}</code>
              </dt>
              {same.map(({ error, status }) => (
                <dd key={error.name}>
                  <b class="bad">{status}</b> {inLanguage(language, error.said)}
                </dd>
              ))}
            </div>
          );
        })}
      </dl>
    </section>
  );
}
