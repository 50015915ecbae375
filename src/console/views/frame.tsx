import type { Operator } from "../../config.ts";
import { formatTime } from "../../pages/format.ts";
import type { Notice as NoticeText, ScreenContext, View } from "../context.ts";
import type { sections as allSections } from "../sections.ts";
import { Head } from "./bare-page.tsx";
import { Form } from "./form.tsx";
import { Money } from "./money.tsx";
import { Notice } from "./notice.tsx";
import { stylesPath } from "./stylesheet.ts";
import { Support } from "./support.tsx";

/** A session that cannot be prolonged any more says so for this long. */
const endingSoonMs = 30 * 60_000;

/** Around every page: whose money it is, how much, what else there is, who looks at it, and until when. */
export function Frame({
  context,
  view,
  sections,
  balance,
  now,
  isTest,
  operator,
  notice,
}: {
  readonly context: ScreenContext;
  readonly view: View;
  readonly sections: typeof allSections;
  readonly balance: number | undefined;
  readonly now: Date;
  readonly isTest: boolean;
  readonly operator: Operator;
  readonly notice: NoticeText | undefined;
}) {
  const { words, company, href, nonce, language, session } = context;
  const title = words.title(view.title, company.name);
  const isEnding = session.endsAt.getTime() - now.getTime() < endingSoonMs;
  const time = (at: Date) => formatTime(company.timeZone, at);
  return (
    <html lang={language}>
      <Head
        nonce={nonce}
        stylesHref={href(stylesPath)}
        title={view.isProblem === true ? words.problemTitle(title) : title}
      />
      <body>
        <a class="skip" href="#main">
          {words.skip}
        </a>
        <header>
          <p class={isTest ? "band test" : "band"}>{isTest ? words.test : words.live}</p>
          <div class="top">
            <p class="who">
              <strong>{company.name}</strong>
              <span class="soft">
                {words.roles[context.role]} ·{" "}
                <a href={href("/console/companies")}>{words.change}</a>
              </span>
            </p>
            {balance !== undefined && (
              <p class="balance">
                <span class="soft">{words.balance}</span>{" "}
                <strong>
                  <Money words={words} francs={balance} />
                </strong>{" "}
                <span class="soft">{words.balanceAt(time(now))}</span>
              </p>
            )}
          </div>
        </header>
        <Navigation context={context} sections={sections} />
        <main id="main" tabindex={-1}>
          {isEnding && <Notice kind="warn" text={words.sessionEndsSoon(time(session.endsAt))} />}
          {notice !== undefined && <Notice kind={notice.kind} text={notice.text} />}
          {view.content}
        </main>
        <Foot context={context} operator={operator} ends={time(session.idleEndsAt)} />
      </body>
    </html>
  );
}

function Navigation({
  context: { words, href, request },
  sections,
}: {
  readonly context: ScreenContext;
  readonly sections: typeof allSections;
}) {
  const here = request.routeOptions.url ?? "";
  const isHere = (path: string) =>
    path === "/console" ? here === path : here === path || here.startsWith(`${path}/`);
  return (
    <nav aria-label={words.menu}>
      <ul>
        {sections.map(({ path, word }) => (
          <li key={path}>
            <a href={href(path)} aria-current={isHere(path) ? "page" : undefined}>
              {words.sections[word]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Foot({
  context,
  operator,
  ends,
}: {
  readonly context: ScreenContext;
  readonly operator: Operator;
  readonly ends: string;
}) {
  const { words, person, company } = context;
  const other = words.otherLanguage;
  return (
    <footer>
      <p>{words.sessionEnds(ends)}</p>
      <p>
        {person.email} · {words.times(company.timeZone)}
      </p>
      <Support words={words} operator={operator} />
      <p>
        {/* Relative to the page itself, whose own query it replaces. */}
        <a lang={other.lang} hreflang={other.lang} href={`?lang=${other.lang}`}>
          {other.name}
        </a>
      </p>
      <Form context={context} path="/console/logout" submit={words.signOut} kind="quiet" />
    </footer>
  );
}
