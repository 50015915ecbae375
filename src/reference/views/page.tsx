import { guidesPath } from "../guides/guides.ts";
import { sampleLanguages } from "../samples/samples.ts";
import { ErrorCodes, Objects, States, Topics } from "./appendices.tsx";
import { anchors, type Frame, say } from "./frame.ts";
import { Navigation } from "./navigation.tsx";
import { OperationSection } from "./operation.tsx";
import { Start } from "./start.tsx";

interface PageProps {
  readonly frame: Frame;
  readonly styles: string;
  readonly script: string;
  /** What the script needs to try operations, as JSON; undefined where nothing can be tried. */
  readonly trials: string | undefined;
}

/** The whole reference, on one page: the browser's own search finds everything in it. */
export function ReferencePage({ frame, styles, script, trials }: PageProps) {
  const { words, reference } = frame;
  return (
    <html lang={words.lang}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`Cauri – ${words.title}`}</title>
        <link rel="icon" href="data:," />
        <style dangerouslySetInnerHTML={{ __html: styles }} />
      </head>
      <body data-copy={words.copy} data-copied={words.copied}>
        <a class="skip" href="#main">
          {words.skip}
        </a>
        <Heading frame={frame} />
        <Navigation frame={frame} />
        {trials !== undefined && (
          <script
            type="application/json"
            id="trials"
            dangerouslySetInnerHTML={{ __html: trials }}
          />
        )}
        <script dangerouslySetInnerHTML={{ __html: script }} />
        <SampleChoice frame={frame} />
        <main id="main">
          <Start frame={frame} />
          {reference.groups.map(({ name, description, operations }) => (
            <section id={anchors.group(name)} key={name}>
              <h2>{words.groups[name] ?? name}</h2>
              <p class="lead">{say(frame, description)}</p>
              {operations.map((operation) => (
                <OperationSection key={operation.id} frame={frame} operation={operation} />
              ))}
            </section>
          ))}
          <Topics frame={frame} />
          <States frame={frame} />
          <Objects frame={frame} />
          <ErrorCodes frame={frame} />
        </main>
      </body>
    </html>
  );
}

function Heading({
  frame: { words, language, reference, testMsisdns, basePath },
}: {
  readonly frame: Frame;
}) {
  const other = words.otherLanguage;
  return (
    <header>
      <div>
        <h1>
          Cauri <span>{words.title}</span>
        </h1>
        <p class="soft">{words.version(reference.version)}</p>
      </div>
      <p>
        {testMsisdns !== undefined && <span class="test">{words.staging}</span>}
        <a href={`${basePath}/?lang=${language}`}>{words.home}</a>
        <a href={`${basePath}${guidesPath}?lang=${language}`}>{words.guides.title}</a>
        <a href={`${basePath}/console`}>{words.console}</a>
        <a href={`${basePath}/docs?lang=${other.lang}`} lang={other.lang} hreflang={other.lang}>
          {other.name}
        </a>
      </p>
    </header>
  );
}

/** Works without script: the styles show the samples of the language that is chosen. */
function SampleChoice({ frame: { words } }: { readonly frame: Frame }) {
  return (
    <form id="choice" aria-label={words.samples}>
      <fieldset>
        <legend>{words.samples}</legend>
        {Object.entries(sampleLanguages).map(([key, name], index) => (
          <label key={key}>
            <input type="radio" name="sample" value={key} id={`in-${key}`} checked={index === 0} />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
    </form>
  );
}
