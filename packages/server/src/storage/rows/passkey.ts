import type { UnixMs } from "@propgate/core";
import type { PersonId } from "./person.ts";

/** The public half of a key that an authenticator holds for somebody. */
export interface Passkey {
  /** As the authenticator names it, base64url. */
  readonly passkeyId: string;
  readonly personId: PersonId;
  readonly label: string;
  /** COSE. */
  readonly publicKey: Uint8Array;
  /** How often it has signed; 0 where the authenticator does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAtMs: UnixMs;
  readonly lastUsedAtMs: UnixMs | null;
}
