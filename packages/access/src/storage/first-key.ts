/** The key of the first account; the start shows it once. */
export interface FirstKey {
  readonly accountId: string;
  readonly keyId: string;
  readonly secret: string;
}
