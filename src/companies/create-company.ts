import type { Database, Tx } from "../database/database.ts";
import { readDatabaseTime } from "../database/database-clock.ts";
import { lockInstallation } from "../database/environment.ts";
import { newUuid, toPublicId } from "../kernel/ids.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import { fund, openBooks } from "../ledger/post.ts";
import { type Actor, operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { type Company, companyIdPrefix, firstPrice } from "./company.ts";
import { type IssuedKey, issueKey, keyIdPrefix, trailedKey } from "./credentials.ts";
import { changedPrice, fieldsOfPrice, type Price } from "./price.ts";
import { insertPrice } from "./prices-store.ts";
import { hasCompanies, insertCompany } from "./store.ts";

/** What is not agreed is as in `firstPrice`. */
export interface NewCompany extends Partial<Price> {
  readonly name: string;
  /** Francs put on the account at once; 0 for none. */
  readonly fund: number;
  readonly country?: string | undefined;
  readonly timeZone?: string | undefined;
}

interface CreatedCompany {
  readonly company: Company;
  readonly key: IssuedKey;
}

/** A company, its books, its first key and its first money, all or nothing. Throws CrossedBounds. */
export function createCompany(
  database: Database,
  box: SecretBox,
  request: NewCompany,
  by: Actor = operator(),
): Promise<CreatedCompany> {
  return database.transaction((tx) => insertWithBooks(tx, box, request, by));
}

/** The first company of a database; undefined when it has one, also from another node that starts at the same time. */
export function createFirstCompany(
  database: Database,
  box: SecretBox,
  request: NewCompany,
  by: Actor,
): Promise<CreatedCompany | undefined> {
  return database.transaction(async (tx) => {
    await lockInstallation(tx);
    return (await hasCompanies(tx)) ? undefined : insertWithBooks(tx, box, request, by);
  });
}

async function insertWithBooks(
  tx: Tx,
  box: SecretBox,
  request: NewCompany,
  by: Actor,
): Promise<CreatedCompany> {
  const now = await readDatabaseTime(tx);
  const company: Company = {
    ...changedPrice(firstPrice, request),
    id: newUuid(now.getTime()),
    name: request.name,
    priceNumber: 1,
    country: request.country ?? null,
    timeZone: request.timeZone ?? null,
    createdAt: now,
    isFrozen: false,
  };
  const funding = { id: newUuid(now.getTime()), amount: request.fund, reference: null, memo: null };
  await insertCompany(tx, company);
  await insertPrice(tx, company.id, company.priceNumber, company.createdAt);
  await openBooks(tx, company.id);
  if (request.fund > 0) await fund(tx, company.id, funding);
  const key = await issueKey(tx, box, now, company.id, company.createdAt);
  await recordForCompany(tx, company.id, by, {
    action: "company.created",
    subject: toPublicId(companyIdPrefix, company.id),
    to: {
      name: company.name,
      country: company.country,
      timeZone: company.timeZone,
      ...fieldsOfPrice(company),
      funded: request.fund,
      keyId: toPublicId(keyIdPrefix, key.keyId),
      ...trailedKey(key),
    },
  });
  return { company, key };
}
