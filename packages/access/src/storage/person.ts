import type { Role } from "@propgate/contract";
import type { OwnerId, UnixMs } from "@propgate/core";
import type { ExternalId, PersonId } from "@propgate/ledger";

/** A person who signs in with a password or a passkey: one who sees the accounts of an owner, or an operator. */
export interface Person {
  readonly personId: PersonId;
  /** The name for signing in. No two names differ only in case or width. */
  readonly name: string;
  readonly role: Role;
  /** The owner whose accounts the person sees; null for an operator. */
  readonly ownerId: OwnerId | null;
  readonly externalId: ExternalId | null;
  readonly createdAtMs: UnixMs;
  /** Since when the person cannot sign in; null while the person is enabled. */
  readonly disabledAtMs: UnixMs | null;
}

/** The form of a name for comparisons. Names that differ only in case or width have the same form. */
export function nameKey(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
