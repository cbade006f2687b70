import { accountId, unixMs } from "@propgate/core";
import type { StoredKey } from "../../../access/src/storage/api-key.ts";

/** A stored key that may read, and whose secret cannot be opened. */
export function madeStoredKey(keyId: string, createdAtMs: number): StoredKey {
  return {
    keyId,
    accountId: accountId("0d5c2a34-59b8-4a3e-9d4f-000000000001"),
    scopes: ["read"],
    label: "",
    addresses: [],
    createdAtMs: unixMs(createdAtMs),
    expiresAtMs: null,
    revokedAtMs: null,
    pausedAtMs: null,
    sealedSecret: Buffer.of(1),
  };
}
