import type { Role } from "@propgate/contract";
import type { OwnerId, UnixMs } from "@propgate/core";

/** A uuid; names may change hands, ids never. */
export type PersonId = string & { readonly __personId: true };

export const personId = (value: string): PersonId => value as PersonId;

/** Somebody who signs in with a password or a passkey: an account's owner, or one of the firm. */
export interface Person {
  readonly personId: PersonId;
  /** What is typed to sign in; unique whatever its case. */
  readonly name: string;
  readonly role: Role;
  /** Whose accounts an owner sees; null for an operator. */
  readonly ownerId: OwnerId | null;
  readonly createdAtMs: UnixMs;
  /** From this moment on nobody signs in as this person; null: it may. */
  readonly disabledAtMs: UnixMs | null;
}

/** What is compared of a name: two that look alike to a person are one. */
export function nameKey(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
