/** A market's holidays and early closes in one year, as whole days since 1970-01-01. */
export interface MarketYear {
  readonly closed: readonly number[];
  /** The days that end early, by the local time at which they do. */
  readonly early: Readonly<Record<string, readonly number[]>>;
}
