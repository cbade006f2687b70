import type { UnixMs } from "@propgate/core";
import type { PersonId } from "@propgate/ledger";

/** The public half of a person's passkey. The authenticator has the private key. */
export interface Passkey {
  /** The id that the authenticator gave to the passkey, as base64url. */
  readonly passkeyId: string;
  readonly personId: PersonId;
  readonly label: string;
  /** The public key in COSE form. */
  readonly publicKey: Uint8Array;
  /** How many signatures the authenticator has reported; 0 when it does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAtMs: UnixMs;
  readonly lastUsedAtMs: UnixMs | null;
}
