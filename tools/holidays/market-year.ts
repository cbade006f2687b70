/** A market's holidays and early closes in one year, as whole days since 1970-01-01. */
export interface MarketYear {
  readonly closed: readonly number[];
  /** The days on which trading ends early, by the local time of the end, such as `13:00`. */
  readonly early: Readonly<Record<string, readonly number[]>>;
}
