/** What all nodes on one database must have in common, for they decide on the same accounts. */
export interface NodeConfiguration {
  readonly release: string;
  readonly stateFormat: number;
  /** SHA-256 of what can be traded and how, in hex. */
  readonly catalogue: string;
}
