import type { UnixMs } from "@propgate/core";
import type { PersonId } from "@propgate/ledger";

/** The public key of a person's passkey; the authenticator has the private key. */
export interface Passkey {
  /** The id that the authenticator gave the passkey, base64url. */
  readonly passkeyId: string;
  readonly personId: PersonId;
  readonly label: string;
  /** COSE. */
  readonly publicKey: Uint8Array;
  /** The number of its signatures; 0 when the authenticator does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAtMs: UnixMs;
  readonly lastUsedAtMs: UnixMs | null;
}
