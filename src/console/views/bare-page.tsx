import type { ComponentChildren } from "preact";
import type { Operator } from "../../config.ts";
import type { Banner } from "../../operations/banner.ts";
import type { Bare } from "../context.ts";
import { BannerNote } from "./banner-note.tsx";
import { stylesPath } from "./stylesheet.ts";
import { Support } from "./support.tsx";

/** A page that knows nobody: one column, and no way to anything that needs a session. */
export function BarePage({
  bare: { words, nonce, href, language },
  title,
  isProblem,
  isTest,
  operator,
  path,
  banner,
  children,
}: {
  readonly bare: Bare;
  readonly title: string;
  readonly isProblem: boolean;
  readonly isTest: boolean;
  readonly operator: Operator;
  readonly path: string | undefined;
  readonly banner: Banner | undefined;
  readonly children: ComponentChildren;
}) {
  const other = words.otherLanguage;
  return (
    <html lang={language}>
      <Head
        nonce={nonce}
        stylesHref={href(stylesPath)}
        title={isProblem ? words.problemTitle(title) : title}
      />
      <body class="bare">
        <header>
          <p class={isTest ? "band test" : "band"}>{isTest ? words.test : words.live}</p>
          <BannerNote words={words} banner={banner} />
        </header>
        <main id="main">{children}</main>
        <footer>
          <p>
            <a href={href("/", { lang: language })}>{operator.name}</a> · {words.console}
          </p>
          <Support words={words} operator={operator} />
          {path !== undefined && (
            <p>
              <a lang={other.lang} hreflang={other.lang} href={href(path, { lang: other.lang })}>
                {other.name}
              </a>
            </p>
          )}
        </footer>
      </body>
    </html>
  );
}

export function Head({
  nonce,
  stylesHref,
  title,
}: {
  readonly nonce: string;
  readonly stylesHref: string;
  readonly title: string;
}) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <meta name="format-detection" content="telephone=no" />
      <title>{title}</title>
      {/* Without it a browser asks for /favicon.ico on every page. */}
      <link rel="icon" href="data:," />
      <link rel="stylesheet" nonce={nonce} href={stylesHref} />
    </head>
  );
}
