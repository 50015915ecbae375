import type { SubCompany } from "../../companies/sub-company.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { initialsOf } from "../../pages/format.ts";
import type { ScreenContext } from "../context.ts";

export const subCompaniesPath = "/console/sub-companies";

export function subCompanyPath({ id }: Pick<SubCompany, "id">): string {
  return `${subCompaniesPath}/${toPublicId("subco", id)}`;
}

/** Our own copy of a logo, or initials. It says nothing that the name beside it does not. */
export function Logo({
  context: { href },
  subCompany,
  isShown,
}: {
  readonly context: Pick<ScreenContext, "href">;
  readonly subCompany: SubCompany;
  readonly isShown: boolean;
}) {
  if (!isShown)
    return (
      <span class="logo letters" aria-hidden="true">
        {initialsOf(subCompany.name)}
      </span>
    );
  const src = href(`${subCompanyPath(subCompany)}/logo`);
  return <img class="logo" src={src} width="48" height="48" alt="" loading="lazy" />;
}
