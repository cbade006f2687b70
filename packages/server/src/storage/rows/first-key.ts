/** The key of the first account, as a start shows it once. */
export interface FirstKey {
  readonly accountId: string;
  readonly keyId: string;
  readonly secret: string;
}
