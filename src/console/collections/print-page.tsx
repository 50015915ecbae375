import type { Charge } from "../../charges/charge.ts";
import { formatAmount, formatMoment } from "../../pages/format.ts";
import { QrCode } from "../../pages/qr-code.tsx";
import type { ScreenContext } from "../context.ts";
import { Head } from "../views/bare-page.tsx";
import { Money } from "../views/money.tsx";
import { stylesPath } from "../views/stylesheet.ts";
import type { LinkWords } from "../words/payment-link.ts";
import { collectionPath } from "./paths.ts";

type SheetSize = "a4" | "a6";

/** The sheet is the page: nothing but the code, the amount and what it is for. The rest is for whoever prints it. */
export function PrintPage({
  context: { words: frame, company, language, nonce, href },
  words,
  charge,
  url,
  size,
}: {
  readonly context: ScreenContext;
  readonly words: LinkWords;
  readonly charge: Charge;
  readonly url: string;
  readonly size: SheetSize;
}) {
  const { print, share } = words;
  const until = formatMoment(frame, company.timeZone, charge.expiresAt);
  const page = `@page { size: ${size.toUpperCase()} portrait; margin: ${size === "a4" ? "20mm" : "8mm"}; }`;
  return (
    <html lang={language}>
      <Head
        nonce={nonce}
        stylesHref={href(stylesPath)}
        title={frame.title(print.title(charge.externalId), company.name)}
      />
      <body class="printed">
        <style nonce={nonce} dangerouslySetInnerHTML={{ __html: page }} />
        <header class="unprinted">
          <p>
            <a href={href(collectionPath(charge))}>{print.back}</a>
          </p>
          <p>{print.hint}</p>
          <p class="soft">{print.until(until)}</p>
        </header>
        <main id="main" class={`sheet ${size}`}>
          <h1 class="unseen">{print.title(charge.externalId)}</h1>
          <QrCode text={url} label={share.qr(formatAmount(frame, charge.amount))} />
          <p class="sum">
            <Money words={frame} francs={charge.amount} />
          </p>
          <p>{charge.description}</p>
        </main>
      </body>
    </html>
  );
}
