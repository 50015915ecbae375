import { formatAmount } from "../../pages/format.ts";
import { Money } from "../../pages/money.tsx";
import type { Verification } from "../../statements/verify/verify-file.ts";
import { Document } from "./document.tsx";
import type { Frame } from "./frame.ts";

/** The form: a file, and what its holder has kept. */
export function VerifyPage({
  frame,
  refused,
}: {
  readonly frame: Frame;
  /** Why the last file was not read. */
  readonly refused?: keyof Frame["words"]["verify"]["refused"];
}) {
  const { words, operator, href } = frame;
  const { verify } = words;
  return (
    <Document frame={frame} title={verify.title} isProblem={refused !== undefined}>
      {refused !== undefined && (
        <div class="alert" role="alert">
          <h2>{words.problem}</h2>
          <p>{verify.refused[refused]}</p>
        </div>
      )}
      <h1>{verify.title}</h1>
      <p>{verify.what(operator.name)}</p>
      <form method="post" action={href("/verify")} enctype="multipart/form-data">
        <label for="file">{verify.file}</label>
        <input id="file" name="file" type="file" accept=".csv,.xlsx,.pdf" required />
        <label for="kept">{verify.kept}</label>
        <p id="kept-hint" class="soft">
          {verify.keptHint}
        </p>
        <textarea id="kept" name="kept" rows={3} aria-describedby="kept-hint" spellcheck={false} />
        <button type="submit">{verify.submit}</button>
      </form>
    </Document>
  );
}

/** What was found in a file. */
export function VerifiedPage({
  frame,
  found,
  isOwnKey,
  address,
}: {
  readonly frame: Frame;
  readonly found: Verification;
  /** Whether the operator's own published keys decided. */
  readonly isOwnKey: boolean;
  readonly address: string;
}) {
  const { words, operator, href } = frame;
  const { verify } = words;
  const { problem, isAuthenticated, signed } = found;
  const authenticated = signed === "file" ? "verified" : "rows";
  const consistent = isAuthenticated ? authenticated : "consistent";
  const state = problem === undefined ? consistent : "wrong";
  const isWrong = problem !== undefined;
  return (
    <Document frame={frame} title={verify.states[state]} isProblem={isWrong}>
      <div class={state === "verified" ? "note" : "alert"} role={isWrong ? "alert" : "status"}>
        <h1>{verify.states[state]}</h1>
        {isWrong && (
          <p>
            {problem.row !== undefined && verify.row(problem.row)}
            {verify.problems[problem.what]}
          </p>
        )}
        {state === "consistent" && <p>{verify.notAuthenticated}</p>}
        {!isWrong && isAuthenticated && (
          <p>{isOwnKey ? verify.signedHere(operator.name, address) : verify.signedByKept}</p>
        )}
        {!isWrong && <p>{signed === "file" ? verify.signedFile : verify.signedRows}</p>}
      </div>
      {!isWrong && <Facts frame={frame} found={found} />}
      <a class="button second screen" href={href("/verify")}>
        {verify.another}
      </a>
    </Document>
  );
}

function Facts({
  frame: { words },
  found: { facts, lines, format, code, keyId },
}: {
  readonly frame: Frame;
  readonly found: Verification;
}) {
  const { verify } = words;
  // Whoever made the file may have put anything there.
  const moment = (said: unknown) =>
    typeof said === "string" ? said.slice(0, 16).replace("T", " ") : "…";
  const francs = (said: unknown) => <Money text={formatAmount(words, Number(said))} />;
  const rows = [
    [verify.company, `${facts?.companyName} (${facts?.company})`],
    [verify.period, `${moment(facts?.from)} – ${moment(facts?.until)}`],
    [verify.lines, String(lines)],
    [verify.opening, francs(facts?.opening)],
    [verify.closing, francs(facts?.closing)],
    [verify.code, code],
    [verify.format, format.toUpperCase()],
    [verify.key, keyId],
  ] as const;
  return (
    <>
      <p>{verify.compare}</p>
      <dl class="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
