// Made from the schemas of the contract by `npm run docs`.

/** The service's clock. */
export interface ServiceTime {
  /** Now. */
  readonly serverTimeMs: number;
  /** How far a signed timestamp may be from it, either way. */
  readonly skewAllowedMs: number;
}
