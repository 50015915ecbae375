import type { Wallet, WalletEntry } from "../../customers/wallet.ts";
import type { Page } from "../../kernel/page.ts";
import { clip, formatMovement, formatShortMoment, initialsOf } from "../../pages/format.ts";
import { Money } from "../../pages/money.tsx";
import type { LogoSheet } from "../wallet-logos.ts";
import type { Words } from "../words/fr.ts";
import { Document } from "./document.tsx";
import type { Frame } from "./frame.ts";
import { ActionForm, Amount } from "./parts.tsx";
import { walletStyles } from "./styles.ts";

const descriptionMax = 80;

/** What a person holds here and how it came and went, newest first, with the names the senders gave. */
export function WalletPage({
  frame,
  wallet,
  history,
  logos,
}: {
  readonly frame: Frame;
  readonly wallet: Wallet | undefined;
  readonly history: Page<WalletEntry>;
  readonly logos: LogoSheet;
}) {
  const { words, href } = frame;
  return (
    <Document frame={frame} title={words.wallet.title} css={walletStyles + logos.css}>
      <div class="sum">
        <h1>{wallet?.name === undefined ? words.wallet.title : words.wallet.hello(wallet.name)}</h1>
        {wallet === undefined ? (
          <p>{words.wallet.noAccount}</p>
        ) : (
          <>
            <p class="soft">{words.wallet.balance}</p>
            <Amount words={words} francs={wallet.balance} />
            {wallet.isFrozen && <p role="status">{words.wallet.frozen}</p>}
          </>
        )}
      </div>
      <h2>{words.wallet.history}</h2>
      {history.rows.length === 0 ? (
        <p>{words.wallet.none}</p>
      ) : (
        <ul class="entries">
          {history.rows.map((entry) => (
            <Entry key={entry.id} frame={frame} entry={entry} logo={logos.classOf(entry)} />
          ))}
        </ul>
      )}
      {(history.prev !== null || history.next !== null) && (
        <nav class="row" aria-label={words.wallet.pages}>
          {history.prev === null ? (
            <span />
          ) : (
            <a rel="prev" href={href("/wallet", { cursor: history.prev })}>
              {words.wallet.newer}
            </a>
          )}
          {history.next !== null && (
            <a rel="next" href={href("/wallet", { cursor: history.next })}>
              {words.wallet.older}
            </a>
          )}
        </nav>
      )}
      <ActionForm
        action={href("/wallet/leave")}
        words={words}
        label={words.wallet.signOut}
        kind="second"
      />
    </Document>
  );
}

function Entry({
  frame: { words, place },
  entry,
  logo,
}: {
  readonly frame: Frame;
  readonly entry: WalletEntry;
  readonly logo: string | undefined;
}) {
  const name = entry.subCompany?.name ?? entry.companyName;
  return (
    <li>
      <span class={`logo ${logo ?? "letters"}`} aria-hidden="true">
        {logo === undefined && initialsOf(name)}
      </span>
      <div>
        <p>
          <strong>{name}</strong>
          <strong class={entry.amount > 0 ? "in" : undefined}>
            <Money text={formatMovement(words, entry.amount)} />
          </strong>
        </p>
        <p class="soft">
          {[eventNameOf(words, entry.event), shorten(entry.description ?? "")]
            .filter((text) => text !== undefined && text !== "")
            .join(" · ")}
        </p>
        <p class="soft">
          <span>{formatShortMoment(words, place.timeZone, entry.createdAt)}</span>
          <span>
            {words.wallet.reference} {entry.serviceReference}
          </span>
        </p>
      </div>
    </li>
  );
}

/** Cuts a long description, so that each entry of the list stays short. */
function shorten(text: string): string {
  const short = clip(text, descriptionMax);
  return short === text ? text : `${short}…`;
}

function eventNameOf({ wallet: { events } }: Words, event: string): string | undefined {
  return Object.entries(events).find(([name]) => name === event)?.[1];
}
