import { findCompany, findSubCompanies } from "../companies/find-company.ts";
import type { Logo } from "../companies/logo.ts";
import { findLogo } from "../companies/logos.ts";
import type { Database } from "../database/database.ts";

/** What of a page's 14 KB is left for a logo. A bigger one would cost the payer more than it tells. */
const logoShownBytesMax = 8 * 1_024;
const rememberedMax = 200;

/** Who a payer pays: the sub-company when the charge names one, else the company. */
export interface MerchantFacts {
  readonly name: string;
  readonly logo: Logo | undefined;
}

/**
 * Logos that are small enough to be shown. A picture never changes under its URL, so one that was read
 * once is remembered; one that is not there yet is looked for again.
 */
export class SmallLogos {
  readonly #database: Database;
  readonly #remembered = new Map<string, Logo | undefined>();

  constructor(database: Database) {
    this.#database = database;
  }

  async find(companyId: string, logoUrl: string): Promise<Logo | undefined> {
    const key = `${companyId} ${logoUrl}`;
    if (this.#remembered.has(key)) return this.#remembered.get(key);
    const logo = await findLogo(this.#database, companyId, logoUrl);
    if (logo === undefined) return undefined;
    const small = logo.bytes.length <= logoShownBytesMax ? logo : undefined;
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size >= rememberedMax && oldest !== undefined)
      this.#remembered.delete(oldest);
    this.#remembered.set(key, small);
    return small;
  }
}

/** What is kept of a merchant. Its logo is not: that may arrive at any moment, and is remembered once it is there. */
interface KnownMerchant {
  readonly name: string;
  readonly logoUrl: string | undefined;
  readonly goodUntilMs: number;
}

/** Names hardly ever change, and every page shows one: a new name is there after this long. */
const nameLifetimeMs = 10_000;

/** Who is asking, remembered for a few seconds. */
export class Merchants {
  readonly #database: Database;
  readonly #logos: SmallLogos;
  readonly #remembered = new Map<string, KnownMerchant>();

  constructor(database: Database, logos: SmallLogos) {
    this.#database = database;
    this.#logos = logos;
  }

  async find(companyId: string, subCompanyId: string | null): Promise<MerchantFacts> {
    const key = `${companyId} ${subCompanyId}`;
    let known = this.#remembered.get(key);
    if (known === undefined || known.goodUntilMs <= performance.now()) {
      known = await this.#read(companyId, subCompanyId);
      if (this.#remembered.size >= rememberedMax) this.#remembered.clear();
      this.#remembered.set(key, known);
    }
    const { name, logoUrl } = known;
    const logo = logoUrl === undefined ? undefined : await this.#logos.find(companyId, logoUrl);
    return { name, logo };
  }

  async #read(companyId: string, subCompanyId: string | null): Promise<KnownMerchant> {
    const [subCompany] =
      subCompanyId === null
        ? []
        : await findSubCompanies(this.#database, companyId, [subCompanyId]);
    const company =
      subCompany === undefined ? await findCompany(this.#database, companyId) : undefined;
    return {
      name: subCompany?.name ?? company?.name ?? "",
      logoUrl: subCompany?.logoUrl,
      goodUntilMs: performance.now() + nameLifetimeMs,
    };
  }
}
