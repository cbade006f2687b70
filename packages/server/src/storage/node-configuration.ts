/** The configuration that all nodes on one database must share, because they decide on the same accounts. */
export interface NodeConfiguration {
  readonly release: string;
  readonly stateFormat: number;
  /** SHA-256, in hex, of the catalogue's instruments and of the parameters of its simulated prices. */
  readonly catalogue: string;
}
