import { QrCode } from "../../pages/qr-code.tsx";
import type { Words } from "../words/fr.ts";

/** The same page for the phone's camera; the styles show it where there is a mouse and room. */
export function Qr({
  words,
  url,
  href,
}: {
  readonly words: Words;
  readonly url: string;
  readonly href: string;
}) {
  return (
    <aside class="qr screen" aria-label={words.pay.qr}>
      <h2>{words.pay.qr}</h2>
      <QrCode text={url} label={words.pay.qrLabel} />
      <p>{words.pay.qrHint}</p>
      <p>
        <a href={href}>{words.pay.qrLink}</a>
      </p>
    </aside>
  );
}
