import { Fragment } from "preact";

/** The amounts in a text of ours: 25 000 F CFA, XOF 25,000, with their signs. */
const amounts =
  /([+\u2212]?(?:\d{1,3}(?:\u00a0\d{3}){0,6}\u00a0F\u00a0CFA|XOF\u00a0\d{1,3}(?:,\d{3}){0,6}))/;
/** The places inside an amount where a line may end: beside a group of three digits, never within one. */
const groups = /(?<=[\u00a0,])(?=\d)|(?<=\d\u00a0)(?=F)/;

/**
 * A text with amounts in it. Each stays on one line as long as there is one wide enough; in very large type on a very
 * small screen it is broken between its groups.
 */
export function Money({ text }: { readonly text: string }) {
  return (
    <span>
      {text.split(amounts).map((part, place) =>
        place % 2 === 0 ? (
          part
        ) : (
          <span key={place} class="money">
            {part.split(groups).map((group, at) => (
              <Fragment key={group + at}>
                {at > 0 && <wbr />}
                {group}
              </Fragment>
            ))}
          </span>
        ),
      )}
    </span>
  );
}
