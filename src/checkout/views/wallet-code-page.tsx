import type { CurrentCode } from "../../customers/one-time-code.ts";
import { CodeForm } from "./code-form.tsx";
import { Document } from "./document.tsx";
import type { Frame } from "./frame.ts";
import { Summary } from "./parts.tsx";

/** The second step: the code that was sent to it. */
export function WalletCodePage({
  frame,
  msisdn,
  code,
  problem,
  note,
}: {
  readonly frame: Frame;
  readonly msisdn: string;
  readonly code: CurrentCode | undefined;
  readonly problem: string | undefined;
  readonly note: string | undefined;
}) {
  const { words, href } = frame;
  const field = code?.state === "good" ? "code" : undefined;
  return (
    <Document frame={frame} title={words.code.title} isProblem={problem !== undefined}>
      {problem !== undefined && <Summary frame={frame} problem={problem} field={field} />}
      <h1>{words.code.title}</h1>
      <CodeForm
        frame={frame}
        msisdn={msisdn}
        code={code}
        problem={problem}
        note={note}
        submitLabel={words.code.submitWallet}
        actions={{
          confirm: href("/wallet/confirm"),
          resend: href("/wallet/code"),
          change: href("/wallet/change"),
        }}
      />
    </Document>
  );
}
