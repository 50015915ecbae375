/** What a company's accounts hold. `external` and `paid_out` stand for the world outside and may overdraw. */
export interface Balances {
  readonly available: number;
  readonly in_flight: number;
  readonly fees: number;
  readonly external: number;
  readonly paid_out: number;
}
