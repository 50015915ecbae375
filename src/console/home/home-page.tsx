import { dayOf } from "../../kernel/days.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { formatAmount, formatShortMoment, formatTime } from "../../pages/format.ts";
import type { ScreenContext } from "../context.ts";
import { Chart } from "../views/chart.tsx";
import { Money } from "../views/money.tsx";
import { Notice } from "../views/notice.tsx";
import { Progress } from "../views/progress.tsx";
import type { HomeWords } from "../words/home.ts";
import { chartNames, toChart } from "./charts.ts";
import type { DayFigures } from "./day-figures.ts";
import { failureDays, type Home, type PeriodDays, periods } from "./read-home.ts";

export interface HomeProps {
  readonly context: ScreenContext;
  readonly words: HomeWords;
  readonly home: Home;
  readonly now: Date;
  readonly period: PeriodDays;
}

export function HomePage(props: HomeProps) {
  const { words, home } = props;
  return (
    <>
      <h1>{words.title}</h1>
      {home.isNew && <Start {...props} />}
      <Figures {...props} />
      <Actions {...props} />
      {home.batches.length > 0 && <Batches {...props} />}
      {home.days === null ? (
        <Notice kind="warn" text={words.notReady} />
      ) : (
        !home.isNew && <Charts {...props} days={home.days} />
      )}
    </>
  );
}

/** What a new company can do first. */
function Start({ context, words, home }: HomeProps) {
  const { href, may, company } = context;
  const isFunded = home.available > 0;
  return (
    <section class="empty">
      <h2>{words.start.title}</h2>
      <p>{isFunded ? words.start.hint : words.start.noMoney}</p>
      {!isFunded && (
        <p>
          {words.start.fundingId} <span class="code">{toPublicId("com", company.id)}</span>
        </p>
      )}
      <p class="row">
        {isFunded && may("transfers.propose") && (
          <a class="button" href={href("/console/transfers/new")}>
            {words.start.send}
          </a>
        )}
        {may("charges.propose") && (
          <a class={isFunded ? "button second" : "button"} href={href("/console/collections/new")}>
            {words.start.collect}
          </a>
        )}
      </p>
    </section>
  );
}

function Figures({ context, words, home, now }: HomeProps) {
  const frame = context.words;
  const today = home.days?.at(-1)?.traffic;
  const readAt = words.readAt(formatTime(context.company.timeZone, now));
  const { pending } = home;
  return (
    <div class="cards figures">
      <Figure label={words.available} francs={home.available} frame={frame} note={readAt} isMain />
      <Figure
        label={words.inFlight}
        francs={home.inFlight}
        frame={frame}
        note={
          pending.count === 0
            ? words.noneInFlight
            : words.inFlightCount(pending.count, pending.isMore)
        }
      />
      {today != null && (
        <>
          <Figure
            label={words.todayIn}
            francs={today.paidIn}
            frame={frame}
            note={words.payments(today.paidInCount)}
          />
          <Figure
            label={words.todayOut}
            francs={today.sentOut}
            frame={frame}
            note={
              words.transfers(today.sentOutCount) +
              (today.failedCount > 0 ? words.failedToday(today.failedCount) : "")
            }
          />
        </>
      )}
    </div>
  );
}

function Figure({
  label,
  francs,
  frame,
  note,
  isMain = false,
}: {
  readonly label: string;
  readonly francs: number;
  readonly frame: ScreenContext["words"];
  readonly note: string;
  readonly isMain?: boolean;
}) {
  return (
    <section class="card figure">
      <h2>{label}</h2>
      <p class={isMain ? "large main" : "large"}>
        <Money words={frame} francs={francs} />
      </p>
      <p class="soft">{note}</p>
    </section>
  );
}

function Actions({ context, words, home, now }: HomeProps) {
  const { href, company, may } = context;
  const since = dayOf(new Date(now.getTime() - failureDays * 86_400_000), company.timeZone);
  const { failed, troubles, waiting, held } = home;
  const isCalm =
    failed.count === 0 && troubles.length === 0 && waiting === 0 && held === 0 && !company.isFrozen;
  return (
    <section class="card">
      <h2>{words.action}</h2>
      {isCalm && <p class="soft">{words.nothingToDo}</p>}
      <ul class="tasks">
        {company.isFrozen && (
          <li>
            <strong class="bad">{words.frozen}</strong>
            <p class="soft">{words.frozenHint}</p>
          </li>
        )}
        {waiting > 0 && (
          <li>
            <strong>{words.approvals(waiting)}</strong>
            <p class="soft">{words.approvalsHint(waiting)}</p>
            <a href={href("/console/approvals")}>{words.seeApprovals}</a>
          </li>
        )}
        {held > 0 && (
          <li>
            <strong>{words.held(held, held === 100)}</strong>
            <p class="soft">{words.heldHint}</p>
            {(may("approvals.decide") || may("transfers.propose")) && (
              <a href={href("/console/approvals/held")}>{words.seeHeld}</a>
            )}
          </li>
        )}
        {failed.count > 0 && (
          <li>
            <strong>{words.failures(failed.count, failed.isMore)}</strong>
            <p class="soft">{words.failuresHint}</p>
            <a href={href("/console/transfers", { status: "failed", from: since })}>
              {words.seeFailures}
            </a>
          </li>
        )}
        {troubles.map((trouble) => (
          <li key={trouble.webhookId}>
            <strong>
              {trouble.disabledReason === null
                ? words.webhookFailing(trouble.url)
                : words.webhookOff(trouble.url)}
            </strong>
            <p class="soft">
              {trouble.failingSince !== null &&
                `${words.failingSince(formatShortMoment(context.words, company.timeZone, trouble.failingSince))} `}
              {words.webhookHint}
            </p>
            {may("webhooks.manage") && (
              <a href={href("/console/developers")}>{context.words.sections.developers}</a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Batches({ context, words, home }: HomeProps) {
  return (
    <section class="card">
      <h2>{words.batches}</h2>
      {home.batches.map((batch) => {
        const done = batch.completedCount + batch.failedCount;
        const name = words.batch(batch.size, formatAmount(context.words, batch.totalAmount));
        const failed = batch.failedCount > 0 ? `, ${words.batchFailed(batch.failedCount)}` : "";
        const id = toPublicId("bat", batch.id);
        return (
          <div key={id}>
            <a href={context.href("/console/transfers", { batch: id })}>{name}</a>
            <Progress
              label={name}
              done={done}
              total={batch.size}
              text={words.batchProgress(done, batch.size) + failed}
            />
          </div>
        );
      })}
    </section>
  );
}

function Charts({
  context,
  words,
  period,
  days,
}: HomeProps & { readonly days: readonly DayFigures[] }) {
  const { href } = context;
  const shortDay = (day: string) =>
    new Intl.DateTimeFormat(context.words.locale, {
      day: "numeric",
      month: "short",
      timeZone: "UTC",
    })
      .format(new Date(`${day}T00:00:00.000Z`))
      .replaceAll("\u202f", "\u00a0");
  return (
    <>
      <div class="head">
        <h2>{words.activity}</h2>
        <nav class="switch" aria-label={words.period}>
          {periods.map((count) => (
            <a
              key={count}
              href={href("/console", { days: String(count) })}
              aria-current={count === period ? "true" : undefined}
            >
              {words.days(count)}
            </a>
          ))}
        </nav>
      </div>
      <div class="charts">
        {chartNames.map((name) => {
          const chart = toChart(name, days, { frame: context.words, words });
          return (
            <Chart
              key={name}
              id={`chart-${name}`}
              title={chart.title}
              summary={chart.summary}
              scale={chart.scale}
              ends={[shortDay(days[0]?.day ?? ""), shortDay(days.at(-1)?.day ?? "")]}
              dayCount={days.length}
              legend={<Legend name={name} words={words} />}
              csvHref={href(`/console/charts/${name}.csv`, { days: String(period) })}
              words={words}
              header={chart.header}
              rows={chart.rows.map((cells, place) => [days[place]?.day ?? "", ...cells])}
            >
              {chart.paths.map(({ kind, path }) => (
                <path key={kind} class={kind} d={path} />
              ))}
            </Chart>
          );
        })}
      </div>
    </>
  );
}

function Legend({ name, words }: { readonly name: string; readonly words: HomeWords }) {
  if (name === "success") return <p class="soft">{words.success.few}</p>;
  if (name !== "volume") return null;
  return (
    <p class="legend">
      <span class="in">▲ {words.volume.in}</span> <span class="out">▼ {words.volume.out}</span>
    </p>
  );
}
