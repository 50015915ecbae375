import type { Language } from "../../kernel/language.ts";
import type { Words } from "../words/fr.ts";
import { type GuideLink, guidesPath } from "./guides.ts";
import { MarkdownView } from "./markdown-view.tsx";
import type { MarkdownBlock } from "./read-markdown.ts";

interface GuideFrame {
  readonly language: Language;
  readonly words: Words;
  readonly basePath: string;
  readonly isTest: boolean;
  readonly styles: string;
}

interface GuidePageProps {
  readonly frame: GuideFrame;
  /** Where this page is, below the base path. */
  readonly path: string;
  readonly title: string;
  readonly links: readonly GuideLink[];
  /** Undefined: the list of the guides. */
  readonly blocks?: readonly MarkdownBlock[];
}

/** A guide, or the list of them. The text of a guide is in English, everything around it in the reader's language. */
export function GuidePage({ frame, path, title, links, blocks }: GuidePageProps) {
  const { words, language, basePath, isTest, styles } = frame;
  const { guides, otherLanguage: other } = words;
  return (
    <html lang={words.lang}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`Cauri – ${title}`}</title>
        <link rel="icon" href="data:," />
        <style dangerouslySetInnerHTML={{ __html: styles }} />
      </head>
      <body class="guide">
        <a class="skip" href="#main">
          {words.skip}
        </a>
        <header>
          <h1>
            Cauri <span>{guides.title}</span>
          </h1>
          <p>
            {isTest && <span class="test">{words.staging}</span>}
            <a href={`${basePath}/?lang=${language}`}>{words.home}</a>
            <a href={`${basePath}/docs?lang=${language}`}>{words.title}</a>
            <a href={`${basePath}/console`}>{words.console}</a>
            <a
              href={`${basePath}${path}?lang=${other.lang}`}
              lang={other.lang}
              hreflang={other.lang}
            >
              {other.name}
            </a>
          </p>
        </header>
        <main id="main">
          {blocks === undefined ? (
            <>
              <h2>{guides.title}</h2>
              <p>{guides.what}</p>
              <GuideList links={links} />
            </>
          ) : (
            <>
              {guides.inEnglish !== "" && <p class="soft">{guides.inEnglish}</p>}
              <div lang="en">
                <MarkdownView blocks={blocks} place={{ basePath, lang: language }} />
              </div>
            </>
          )}
        </main>
        {blocks !== undefined && (
          <nav aria-label={guides.title}>
            <p>
              <a href={`${basePath}${guidesPath}?lang=${language}`}>{guides.title}</a>
            </p>
            <GuideList links={links} current={title} />
          </nav>
        )}
      </body>
    </html>
  );
}

function GuideList({
  links,
  current,
}: {
  readonly links: readonly GuideLink[];
  readonly current?: string;
}) {
  return (
    <ul>
      {links.map(({ href, title }) => (
        <li key={href}>
          <a href={href} aria-current={title === current ? "page" : undefined}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
}
