/** A uuid. A person's name may be reused for another person, an id never. */
export type PersonId = string & { readonly __personId: true };

export const personId = (value: string): PersonId => value as PersonId;
