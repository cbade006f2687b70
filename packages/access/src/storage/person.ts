import type { Role } from "@propgate/contract";
import type { OwnerId, UnixMs } from "@propgate/core";
import type { ExternalId, PersonId } from "@propgate/ledger";

/** A person who signs in with a password or a passkey: an owner of accounts, or an operator. */
export interface Person {
  readonly personId: PersonId;
  /** The name for signing in; unique case-insensitively. */
  readonly name: string;
  readonly role: Role;
  /** The owner whose accounts the person sees; null for an operator. */
  readonly ownerId: OwnerId | null;
  readonly externalId: ExternalId | null;
  readonly createdAtMs: UnixMs;
  /** The person cannot sign in from this moment on; null when enabled. */
  readonly disabledAtMs: UnixMs | null;
}

/** The form of a name for comparisons: names that differ only in case or width are equal. */
export function nameKey(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
