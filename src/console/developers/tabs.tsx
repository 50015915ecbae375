import type { Permission } from "../../staff/roles.ts";
import type { ScreenContext } from "../context.ts";
import { developerWords } from "../words/developers.ts";

/** The pages of the section, in their order. */
const tabs = [
  { path: "/console/developers", word: "keys", may: "keys.manage" },
  { path: "/console/developers/webhooks", word: "webhooks", may: "webhooks.manage" },
  { path: "/console/developers/deliveries", word: "deliveries", may: "webhooks.manage" },
  { path: "/console/developers/signature", word: "signature", may: "webhooks.manage" },
  { path: "/console/developers/requests", word: "requests", may: "requests.read" },
] as const satisfies readonly { path: string; word: string; may: Permission }[];

export function Tabs({ context }: { readonly context: ScreenContext }) {
  const { request, href, may, language } = context;
  const words = developerWords[language];
  const here = (request.routeOptions.url ?? "").replace(
    /^(\/console\/developers)\/keys\b.*$/,
    "$1",
  );
  const isHere = (path: string) =>
    here === path || (path !== tabs[0].path && here.startsWith(`${path}/`));
  const shown = tabs.filter(
    (tab) => may(tab.may) && request.server.hasRoute({ method: "GET", url: tab.path }),
  );
  return (
    <>
      <nav class="tabs" aria-label={words.pages}>
        {shown.map(({ path, word }) => (
          <a key={path} href={href(path)} aria-current={isHere(path) ? "page" : undefined}>
            {words.tabs[word]}
          </a>
        ))}
      </nav>
      <p class="soft">
        {words.toRead} <a href={href("/docs", { lang: language })}>{words.reference}</a> ·{" "}
        <a href={href("/docs/guides", { lang: language })}>{words.guides}</a>
      </p>
    </>
  );
}
