import type { Operator } from "../../config.ts";
import type { Banner } from "../../operations/banner.ts";
import { formatTime } from "../../pages/format.ts";
import type { Notice as NoticeText, View, VisitContext } from "../context.ts";
import { languagePath } from "../language.ts";
import type { Section } from "../sections.ts";
import { BannerNote } from "./banner-note.tsx";
import { Head } from "./bare-page.tsx";
import { Form } from "./form.tsx";
import { Money } from "./money.tsx";
import { Notice } from "./notice.tsx";
import { stylesPath } from "./stylesheet.ts";
import { Support } from "./support.tsx";

/** A session that cannot be prolonged any more says so for this long. */
const endingSoonMs = 30 * 60_000;

/** For whom the page is: a company, or the operator of the installation. */
export interface Whose {
  readonly name: string;
  /** What the person is there. */
  readonly role: string;
  readonly timeZone: string;
  /** Undefined: it is not for this person to see. */
  readonly balance: number | undefined;
  /** What an owner has not acknowledged of what others have changed. */
  readonly unseenChanges?: number;
}

/** Around every page: whose money it is, how much, what else there is, who looks at it, and until when. */
export function Frame({
  context,
  view,
  whose,
  sections,
  now,
  isTest,
  operator,
  notice,
  banner,
}: {
  readonly context: VisitContext;
  readonly view: View;
  readonly whose: Whose;
  readonly sections: readonly Section[];
  readonly now: Date;
  readonly isTest: boolean;
  readonly operator: Operator;
  readonly notice: NoticeText | undefined;
  readonly banner: Banner | undefined;
}) {
  const { words, href, nonce, language, session } = context;
  const { balance, timeZone } = whose;
  const title = words.title(view.title, whose.name);
  const isEnding = session.endsAt.getTime() - now.getTime() < endingSoonMs;
  const time = (at: Date) => formatTime(timeZone, at);
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
          <BannerNote words={words} banner={banner} />
          <div class="top">
            <p class="who">
              <strong>{whose.name}</strong>
              <span class="soft">
                {whose.role} · <a href={href("/console/companies")}>{words.change}</a>
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
          {whose.unseenChanges !== undefined && whose.unseenChanges > 0 && (
            <p class="notice warn" role="status">
              <a href={href("/console/team/changes")}>{words.changes(whose.unseenChanges)}</a>
            </p>
          )}
          {view.content}
        </main>
        <Foot
          context={context}
          operator={operator}
          timeZone={timeZone}
          ends={time(session.idleEndsAt)}
        />
      </body>
    </html>
  );
}

function Navigation({
  context: { words, href, request },
  sections,
}: {
  readonly context: VisitContext;
  readonly sections: readonly Section[];
}) {
  const here = request.routeOptions.url ?? "";
  // The first one's address is the beginning of all others.
  const isHere = (path: string) =>
    here === path || (path !== sections[0]?.path && here.startsWith(`${path}/`));
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

/** The page itself, in whichever language; after a form, home. */
function backOf({ request }: VisitContext): string {
  if (request.method !== "GET") return "/console";
  const [path = "", query = ""] = request.url.split("?", 2);
  const fields = new URLSearchParams(query);
  fields.delete("lang");
  return fields.size === 0 ? path : `${path}?${fields.toString()}`;
}

function Foot({
  context,
  operator,
  timeZone,
  ends,
}: {
  readonly context: VisitContext;
  readonly operator: Operator;
  readonly timeZone: string;
  readonly ends: string;
}) {
  const { words, person } = context;
  const other = words.otherLanguage;
  return (
    <footer>
      <p>{words.sessionEnds(ends)}</p>
      <p>
        {person.email} · {words.times(timeZone)}
      </p>
      <Support words={words} operator={operator} />
      <Form
        context={context}
        path={languagePath}
        fields={{ lang: other.lang, back: backOf(context) }}
      >
        <button class="quiet" lang={other.lang}>
          {other.name}
        </button>
      </Form>
      <Form context={context} path="/console/logout" submit={words.signOut} kind="quiet" />
    </footer>
  );
}
