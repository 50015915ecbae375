import { findCompany, findSubCompanies, placeOfCompany } from "../companies/find-company.ts";
import { type Logo, logoShownBytesMax } from "../companies/logo.ts";
import { findLogo } from "../companies/logos.ts";
import type { Database } from "../database/database.ts";
import type { Country, Place } from "../kernel/countries.ts";
import { Remembered } from "../kernel/remembered.ts";

const rememberedMax = 200;

/** Who a payer pays: the sub-company when the charge names one, else the company. */
export interface MerchantFacts {
  readonly name: string;
  /** The company's own, which the operator gave it. */
  readonly companyName: string;
  /** Where its payers are. */
  readonly place: Place;
  readonly logo: Logo | undefined;
}

/**
 * Logos that are small enough to be shown. A picture never changes under its URL, so one that was read once is
 * remembered (null when it is too large to show); one that was not fetched yet is looked for again.
 */
export class SmallLogos {
  readonly #database: Database;
  readonly #logos = new Remembered<Logo | null | undefined>(rememberedMax);

  constructor(database: Database) {
    this.#database = database;
  }

  async find(companyId: string, logoUrl: string): Promise<Logo | undefined> {
    const found = await this.#logos.get(`${companyId} ${logoUrl}`, async () => {
      const logo = await findLogo(this.#database, companyId, logoUrl);
      return logo !== undefined && logo.bytes.length > logoShownBytesMax ? null : logo;
    });
    return found ?? undefined;
  }
}

interface KnownMerchant {
  readonly name: string;
  readonly companyName: string;
  readonly place: Place;
  readonly logoUrl: string | undefined;
}

/** Names hardly ever change, and every page shows one: a new name is there after this long. */
const nameRememberedMs = 10_000;

/** Who merchants are and where. The logo is not remembered here: it may arrive at any moment. */
export class Merchants {
  readonly #database: Database;
  readonly #logos: SmallLogos;
  readonly #country: Country;
  readonly #merchants = new Remembered<KnownMerchant>(rememberedMax, nameRememberedMs);

  /** The country is for companies that name none. */
  constructor(database: Database, logos: SmallLogos, country: Country) {
    this.#database = database;
    this.#logos = logos;
    this.#country = country;
  }

  async find(companyId: string, subCompanyId: string | null): Promise<MerchantFacts> {
    const { name, companyName, place, logoUrl } = await this.#merchants.get(
      `${companyId} ${subCompanyId}`,
      () => this.#read(companyId, subCompanyId),
    );
    const logo = logoUrl === undefined ? undefined : await this.#logos.find(companyId, logoUrl);
    return { name, companyName, place, logo };
  }

  async #read(companyId: string, subCompanyId: string | null): Promise<KnownMerchant> {
    const [company, [subCompany]] = await Promise.all([
      findCompany(this.#database, companyId),
      subCompanyId === null ? [] : findSubCompanies(this.#database, companyId, [subCompanyId]),
    ]);
    const companyName = company?.name ?? "";
    return {
      name: subCompany?.name ?? companyName,
      companyName,
      place: placeOfCompany(company ?? { country: null, timeZone: null }, this.#country),
      logoUrl: subCompany?.logoUrl,
    };
  }
}
