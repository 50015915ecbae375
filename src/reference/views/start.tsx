import { guideLinks } from "../guides/guides.ts";
import { tokenVariable } from "../samples/sample-request.ts";
import { Code, toJson } from "./code.tsx";
import { type Frame, say } from "./frame.ts";

/** As the README of each client says. */
const clientsInstalled = [
  'npm install "$(npm pack --silent ../cauri/sdk)"',
  "cp ../cauri/sdk/php/Cauri.php .",
  "cp ../cauri/sdk/python/cauri.py .",
].join("\n");

/** What holds for every operation. */
export function Start({ frame }: { readonly frame: Frame }) {
  const { words, language, reference, testMsisdns, basePath } = frame;
  const { start } = words;
  const error = reference.objects.find(({ name }) => name === "Error");
  return (
    <section id="start">
      <h2>{start.title}</h2>
      <p class="lead">{say(frame, reference.description)}</p>
      <p>
        {start.address} <code>{reference.serverUrl}</code>
      </p>
      <p>
        <a href={`${basePath}/openapi.json`}>{words.openapi}</a>
      </p>
      <div class="op" id="token">
        <div>
          <h3>
            <a href="#token">{start.token}</a>
          </h3>
          <p>{start.tokenWhat}</p>
        </div>
        <div class="side">
          <Code title="HTTP" text={`Authorization: Bearer $${tokenVariable}`} />
        </div>
      </div>
      <div class="op" id="key">
        <div>
          <h3>
            <a href="#key">{start.key}</a>
          </h3>
          <p>{start.keyWhat}</p>
        </div>
        <div class="side">
          <Code title="HTTP" text="Idempotency-Key: salary-2026-01-awa" />
        </div>
      </div>
      <div class="op" id="clients">
        <div>
          <h3>
            <a href="#clients">{start.clients}</a>
          </h3>
          <p>{start.clientsWhat}</p>
        </div>
        <div class="side">
          <Code title="TypeScript, PHP, Python" text={clientsInstalled} />
        </div>
      </div>
      <div class="op" id="guides">
        <div>
          <h3>
            <a href="#guides">{words.guides.title}</a>
          </h3>
          <p>{words.guides.what}</p>
          <ul class="plain">
            {guideLinks(basePath, language).map(({ href, title }) => (
              <li key={href}>
                <a href={href}>{title}</a>
              </li>
            ))}
          </ul>
        </div>
      </div>
      <div class="op" id="lists">
        <div>
          <h3>
            <a href="#lists">{start.lists}</a>
          </h3>
          <p>{start.listsWhat}</p>
        </div>
      </div>
      <div class="op" id="failures">
        <div>
          <h3>
            <a href="#failures">{start.failures}</a>
          </h3>
          <p>{start.failuresWhat}</p>
        </div>
        <div class="side">
          <Code title={words.errors.example} text={toJson(error?.example)} />
        </div>
      </div>
      {testMsisdns !== undefined && (
        <div class="op">
          <div>
            <h3>{start.numbers}</h3>
            <p>{start.numbersWhat}</p>
            <ul class="plain">
              <li>
                <code>{testMsisdns.success}</code> {start.succeeds}
              </li>
              <li>
                <code>{testMsisdns.failure}</code> {start.fails}
              </li>
            </ul>
          </div>
        </div>
      )}
    </section>
  );
}
