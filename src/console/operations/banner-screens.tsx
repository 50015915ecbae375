import type { FastifyReply } from "fastify";
import type { App } from "../../http/server.ts";
import {
  type Banner,
  bannerTextMax,
  type NewBanner,
  type Severity,
  severities,
} from "../../operations/banner.ts";
import { endBanner, setBanner } from "../../operations/set-banner.ts";
import { formatMoment } from "../../pages/format.ts";
import type { ConsoleParts } from "../parts.ts";
import { Choice } from "../views/choice.tsx";
import { Field, Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Facts } from "../views/table.tsx";
import { type OperatorContext, operatorAction, operatorScreen } from "./operator-screen.ts";
import { plainText } from "./reason.tsx";

const path = "/console/operations/banner";
const textMin = 5;

type BannerField = "severity" | "fr" | "en" | "minutes";

/** What the form had in it, and what was wrong with it. */
interface Typed {
  readonly severity: string;
  readonly fr: string;
  readonly en: string;
  readonly minutes: string;
  readonly problems: readonly BannerField[];
}

const untouched: Typed = { severity: "warning", fr: "", en: "", minutes: "60", problems: [] };

export function bannerScreens(app: App, parts: ConsoleParts): void {
  const { database, board, clock } = parts;

  operatorScreen(app, parts, path, async (context) =>
    show(context, await board.read(clock()), untouched),
  );

  operatorAction(app, parts, path, async (context) => {
    const typed = readTyped(context);
    const banner = toBanner(typed);
    if (banner === undefined) return show(context, await board.read(clock()), typed);
    await setBanner(database, banner, context.by);
    board.forget();
    return context.seeOther(path, { kind: "good", text: context.shared.banner.shown });
  });

  operatorAction(app, parts, `${path}/end`, async (context) => {
    const { banner: words } = context.shared;
    const wasShown = await endBanner(database, context.by);
    board.forget();
    const text = wasShown ? words.ended : words.wasEnded;
    return context.seeOther(path, { kind: "good", text });
  });
}

function readTyped({ form, shared }: OperatorContext & { readonly form: URLSearchParams }): Typed {
  const typed = {
    severity: form.get("severity") ?? "",
    fr: plainText(form.get("fr") ?? ""),
    en: plainText(form.get("en") ?? ""),
    minutes: form.get("minutes") ?? "",
  };
  const isText = (text: string) => text.length >= textMin && text.length <= bannerTextMax;
  const problems: BannerField[] = [
    ...(isSeverity(typed.severity) ? [] : (["severity"] as const)),
    ...(isText(typed.fr) ? [] : (["fr"] as const)),
    ...(isText(typed.en) ? [] : (["en"] as const)),
    ...(Object.hasOwn(shared.banner.lengths, typed.minutes) ? [] : (["minutes"] as const)),
  ];
  return { ...typed, problems };
}

function toBanner({ severity, fr, en, minutes, problems }: Typed): NewBanner | undefined {
  if (problems.length > 0 || !isSeverity(severity)) return undefined;
  return { severity, fr, en, minutes: Number(minutes) };
}

function isSeverity(text: string): text is Severity {
  return severities.some((severity) => severity === text);
}

function show(
  context: OperatorContext,
  banner: Banner | undefined,
  typed: Typed,
): Promise<FastifyReply> {
  const { words: frame, shared, timeZone } = context;
  const words = shared.banner;
  const problemOf = (field: BannerField) => {
    if (!typed.problems.includes(field)) return undefined;
    return field === "fr" || field === "en" ? words.textProblem : words.choiceProblem;
  };
  const isProblem = typed.problems.length > 0;
  return context.send({
    title: words.title,
    content: (
      <>
        <h1>{words.title}</h1>
        <p class="soft">{words.what}</p>
        <Problems
          title={frame.problem}
          problems={typed.problems.map((field) => ({
            field,
            text: `${words[field === "minutes" ? "length" : field]} : ${problemOf(field) ?? ""}`,
          }))}
        />
        <section class="card" aria-labelledby="now">
          <h2 id="now">{words.now}</h2>
          {banner === undefined ? (
            <p>{words.none}</p>
          ) : (
            <>
              <BannerText context={context} banner={banner} />
              <p class="soft">{words.until(formatMoment(frame, timeZone, banner.endsAt))}</p>
              <Form context={context} path={`${path}/end`} submit={words.end} kind="second" />
            </>
          )}
        </section>
        <section class="card">
          <Form
            context={context}
            path={path}
            submit={banner === undefined ? words.submit : words.replace}
          >
            <Choice
              id="severity"
              label={words.severity}
              problem={problemOf("severity")}
              chosen={typed.severity}
              choices={Object.entries(frame.severities)}
            />
            {(["fr", "en"] as const).map((lang) => (
              <Field
                key={lang}
                id={lang}
                label={words[lang]}
                hint={words.textHint}
                problem={problemOf(lang)}
              >
                {(described) => (
                  <textarea
                    {...described}
                    lang={lang}
                    minlength={textMin}
                    maxlength={bannerTextMax}
                    required
                  >
                    {typed[lang]}
                  </textarea>
                )}
              </Field>
            ))}
            <Choice
              id="minutes"
              label={words.length}
              problem={problemOf("minutes")}
              chosen={typed.minutes}
              choices={Object.entries(words.lengths)}
            />
          </Form>
        </section>
      </>
    ),
    ...(isProblem ? { status: 422, isProblem } : {}),
  });
}

/** In both languages, as others read it. */
function BannerText({
  context: { shared },
  banner,
}: {
  readonly context: OperatorContext;
  readonly banner: Banner;
}) {
  const lines = (["fr", "en"] as const).map(
    (lang) => [shared.banner[lang], <span lang={lang}>{banner[lang]}</span>] as const,
  );
  return <Facts facts={lines} />;
}
