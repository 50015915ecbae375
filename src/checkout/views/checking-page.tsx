import { Document } from "./document.tsx";
import { Amount, Sign, signs, Who } from "./parts.tsx";
import type { Payment } from "./payment.tsx";

/**
 * The answer to a payment was lost: it may have happened or not, and the page claims neither. Reloading
 * tells as soon as it is known.
 */
export function CheckingPage({
  payment,
  isRefreshing,
}: {
  readonly payment: Payment;
  readonly isRefreshing: boolean;
}) {
  const { frame, merchant, charge, at } = payment;
  const { words } = frame;
  return (
    <Document
      frame={frame}
      title={words.checking.title}
      merchantName={merchant.name}
      // Inside noscript, and with a way to stop it: a page that moves by itself must be optional.
      head={
        isRefreshing && (
          <noscript>
            <meta http-equiv="refresh" content="10" />
          </noscript>
        )
      }
    >
      <Who frame={frame} merchant={merchant} />
      <div class="done over" role="status">
        <Sign path={signs.clock} />
        <h1>{words.checking.title}</h1>
        <Amount words={words} francs={charge.amount} />
        <p>{words.checking.what}</p>
      </div>
      <a class="button" href={at("", { checking: "1" })}>
        {words.checking.reload}
      </a>
      {isRefreshing && (
        <noscript>
          <p class="soft">
            {words.checking.automatic}{" "}
            <a href={at("", { checking: "still" })}>{words.checking.stop}</a>
          </p>
        </noscript>
      )}
      <a class="button quiet" href={at()}>
        {words.checking.resume}
      </a>
    </Document>
  );
}
