import { Document } from "./document.tsx";
import type { Frame } from "./frame.ts";
import { PhoneField, Summary } from "./parts.tsx";

/** The first step into the wallet: which phone. */
export function WalletSignInPage({
  frame,
  typed,
  problem,
}: {
  readonly frame: Frame;
  readonly typed?: string | undefined;
  readonly problem?: string | undefined;
}) {
  const { words, href } = frame;
  return (
    <Document frame={frame} title={words.wallet.title} isProblem={problem !== undefined}>
      {problem !== undefined && <Summary frame={frame} problem={problem} field="phone" />}
      <h1>{words.wallet.title}</h1>
      <p>{words.wallet.signIn(frame.operator.name)}</p>
      <form method="post" action={href("/wallet/code")}>
        <PhoneField frame={frame} typed={typed} problem={problem} />
        <button data-busy={words.busy}>{words.wallet.submit}</button>
      </form>
    </Document>
  );
}
