export const subCompanyIdPrefix = "subco";

/** A business on whose behalf a company sends: its name and logo are what the recipient sees. */
export interface SubCompany {
  readonly id: string;
  readonly name: string;
  readonly logoUrl: string;
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface SubCompanyChange {
  readonly name?: string;
  readonly logoUrl?: string;
  readonly isActive?: boolean;
}
