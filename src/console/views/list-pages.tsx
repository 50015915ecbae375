import type { Page } from "../../kernel/page.ts";
import type { ScreenContext } from "../context.ts";
import { pageSizes, toQuery } from "../list-query.ts";
import { Pager } from "./pager.tsx";

/** The way to the pages beside this one, and how many rows each has; whatever is filtered stays. */
export function ListPages({
  context,
  label,
  path,
  typed,
  page,
}: {
  readonly context: ScreenContext;
  /** What the choice of sizes is called. */
  readonly label: string;
  readonly path: string;
  readonly typed: Readonly<Record<string, string | undefined>>;
  readonly page: Pick<Page<unknown>, "limit" | "prev" | "next">;
}) {
  const { href } = context;
  const limit = page.limit === pageSizes[0] ? undefined : String(page.limit);
  const at = (cursor: string | null) =>
    cursor === null ? undefined : href(path, toQuery(typed, { limit, cursor }));
  return (
    <div class="head">
      <Pager words={context.words} newer={at(page.prev)} older={at(page.next)} />
      <nav class="switch" aria-label={label}>
        {pageSizes.map((size) => (
          <a
            key={size}
            href={href(path, toQuery(typed, { limit: String(size) }))}
            aria-current={size === page.limit ? "true" : undefined}
          >
            {size}
          </a>
        ))}
      </nav>
    </div>
  );
}
