/** The accounts every company has. `external` and `paid_out` stand for the world outside and may overdraw. */
export type Account = "available" | "in_flight" | "fees" | "external" | "paid_out";

/** What a company's accounts hold. */
export type Balances = Readonly<Record<Account, number>>;
