/** The arguments of ccxt's lists of past orders and trades. */
export interface ListArguments {
  readonly symbol: string | undefined;
  readonly sinceMs: number | undefined;
  readonly limit: number | undefined;
}
