import type { ComponentChildren } from "preact";
import type { Frame } from "./frame.ts";
import { script } from "./script.ts";
import { styles } from "./styles.ts";

export interface DocumentProps {
  readonly frame: Frame;
  readonly title: string;
  /** The title of a page with a problem begins with that word, because screen readers read the title first. */
  readonly isProblem?: boolean | undefined;
  readonly css?: string;
  readonly head?: ComponentChildren;
  /** A second column on wide screens. */
  readonly isWide?: boolean;
  /** The one to ask for help, where the operator has no support phone. */
  readonly merchantName?: string | undefined;
  readonly children: ComponentChildren;
}

export function Document(props: DocumentProps) {
  const { frame, title, isProblem = false, css = styles } = props;
  const { words, nonce } = frame;
  return (
    <html lang={words.lang}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="format-detection" content="telephone=no" />
        <title>{isProblem ? words.problemTitle(title) : title}</title>
        {/* Without it a browser asks for /favicon.ico: a request that a prepaid network charges for. */}
        <link rel="icon" href="data:," />
        <style nonce={nonce} dangerouslySetInnerHTML={{ __html: css }} />
        {props.head}
      </head>
      <body>
        {frame.isTest && <header class="test">{words.testMode}</header>}
        <main class={props.isWide === true ? "two" : undefined}>{props.children}</main>
        <Footer frame={frame} merchantName={props.merchantName} />
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  );
}

function Footer({
  frame: { words, operator, path, href },
  merchantName,
}: {
  readonly frame: Frame;
  readonly merchantName: string | undefined;
}) {
  const other = words.otherLanguage;
  return (
    <footer>
      <p>
        <strong>{words.operatedBy(operator.name)}</strong>
      </p>
      <p class="screen">{words.neverPin(operator.name)}</p>
      {operator.support !== undefined ? (
        <p>
          {words.help} <a href={addressOf(operator.support)}>{operator.support}</a>
        </p>
      ) : (
        merchantName !== undefined && <p>{words.helpFromMerchant(merchantName)}</p>
      )}
      {operator.termsUrl !== undefined && (
        <p>
          <a href={operator.termsUrl} rel="noreferrer">
            {words.terms}
          </a>
        </p>
      )}
      <p class="screen">
        <a
          lang={other.lang}
          hreflang={other.lang}
          href={path === undefined ? `?lang=${other.lang}` : href(path, { lang: other.lang })}
        >
          {other.name}
        </a>
      </p>
    </footer>
  );
}

/** A phone number to call, or an address to write to. */
function addressOf(support: string): string {
  return support.includes("@") ? `mailto:${support}` : `tel:${support.replaceAll(" ", "")}`;
}
