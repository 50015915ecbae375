import { companyIdPrefix } from "../../../companies/company.ts";
import { getCompany } from "../../../companies/find-company.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { freeze, unfreeze } from "../../../operations/set-frozen.ts";
import { operator } from "../../../trail/actor.ts";
import { confirm } from "../../confirm.ts";
import type { Context, Outcome } from "../../context.ts";
import type { Yes } from "../../run.ts";

export async function freezeCompanyCommand(
  { database, signals }: Context,
  companyId: string,
  options: Yes,
): Promise<Outcome> {
  const { name } = await getCompany(database, companyId);
  await confirm(
    `Freeze ${name}? Its requests will be refused, its pending transfers fail and its due charges are dropped.`,
    options,
  );
  const isNew = await freeze({ database, signals }, companyId, operator("company freeze"));
  return {
    value: { companyId: toPublicId(companyIdPrefix, companyId), frozen: true, changed: isNew },
    text: isNew
      ? `${name} is frozen: its requests are refused, and what was pending ends.`
      : `${name} was frozen already.`,
  };
}

export async function unfreezeCompanyCommand(
  { database, signals }: Context,
  companyId: string,
  options: Yes,
): Promise<Outcome> {
  const { name } = await getCompany(database, companyId);
  await confirm(`Unfreeze ${name}? Its requests will be served again.`, options);
  const isNew = await unfreeze({ database, signals }, companyId, operator("company unfreeze"));
  return {
    value: { companyId: toPublicId(companyIdPrefix, companyId), frozen: false, changed: isNew },
    text: isNew ? `${name} is served again.` : `${name} was not frozen.`,
  };
}
