// Made from the schemas of the contract by `npm run docs`.

/** The service's clock. */
export interface ServiceTime {
  /** The service's present time. */
  readonly serverTimeMs: number;
  /** Maximum distance of a signed timestamp, in either direction. */
  readonly skewAllowedMs: number;
}
