/** The id of a person, a UUID. A name may be given to another person later, an id never. */
export type PersonId = string & { readonly __personId: true };

export const personId = (value: string): PersonId => value as PersonId;
