/** The id of an account or a person in another system of the firm; case counts. */
export type ExternalId = string & { readonly __externalId: true };

export const externalId = (value: string): ExternalId => value as ExternalId;
