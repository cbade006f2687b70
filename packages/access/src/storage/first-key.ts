/** The key of the first account of an installation. The first start shows it once. */
export interface FirstKey {
  readonly accountId: string;
  readonly keyId: string;
  readonly secret: string;
}
