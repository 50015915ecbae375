import { apiErrors } from "../api-errors.ts";
import { stateDiagrams } from "../states.ts";
import { anchors, type Frame, say } from "./frame.ts";

interface Entry {
  readonly anchor: string;
  readonly label: string;
  readonly method?: string;
}

interface Part {
  readonly anchor: string;
  readonly label: string;
  readonly entries: readonly Entry[];
}

/** Every part of the page: what a reader without script finds things by. */
export function Navigation({ frame }: { readonly frame: Frame }) {
  const { words } = frame;
  return (
    <nav aria-label={words.contents}>
      <details open>
        <summary>{words.contents}</summary>
        <div id="search" hidden>
          <label for="query">{words.search}</label>
          <input id="query" type="search" placeholder={words.searchHint} autocomplete="off" />
          <p id="found" role="status" data-said={words.found("{}")} />
        </div>
        <ul>
          {partsOf(frame).map(({ anchor, label, entries }) => (
            <li key={anchor}>
              <a href={`#${anchor}`}>{label}</a>
              <ul>
                {entries.map((entry) => (
                  <li key={entry.anchor}>
                    <a href={`#${entry.anchor}`}>
                      {entry.label}
                      {entry.method !== undefined && (
                        <b class={entry.method.toLowerCase()}> {entry.method}</b>
                      )}
                    </a>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

function partsOf(frame: Frame): Part[] {
  const { words, reference } = frame;
  const { start, topics, states, objects, errors } = words;
  const codes = [...new Set(apiErrors.map(({ error }) => error.code))];
  return [
    {
      anchor: "start",
      label: start.title,
      entries: [
        { anchor: "token", label: start.token },
        { anchor: "key", label: start.key },
        { anchor: "clients", label: start.clients },
        { anchor: "guides", label: words.guides.title },
        { anchor: "lists", label: start.lists },
        { anchor: "failures", label: start.failures },
      ],
    },
    ...reference.groups.map(({ name, operations }) => ({
      anchor: anchors.group(name),
      label: words.groups[name] ?? name,
      entries: operations.map(({ id, summary, method }) => ({
        anchor: id,
        label: say(frame, summary),
        method,
      })),
    })),
    {
      anchor: "topics",
      label: topics.title,
      entries: [
        { anchor: "verify", label: topics.verify },
        ...reference.topics.map(({ topic }) => ({ anchor: anchors.topic(topic), label: topic })),
      ],
    },
    {
      anchor: "states",
      label: states.title,
      entries: stateDiagrams.map(({ id }) => ({ anchor: `s-${id}`, label: states[id] })),
    },
    {
      anchor: "objects",
      label: objects.title,
      entries: reference.objects.map(({ name }) => ({ anchor: anchors.object(name), label: name })),
    },
    {
      anchor: "errors",
      label: errors.title,
      entries: codes.map((code) => ({ anchor: anchors.error(code), label: code })),
    },
  ];
}
