/** The configuration that all nodes on one database must share, because they decide on the same accounts. */
export interface NodeConfiguration {
  readonly release: string;
  readonly stateFormat: number;
  /** SHA-256 of the instruments and their terms, in hex. */
  readonly catalogue: string;
}
