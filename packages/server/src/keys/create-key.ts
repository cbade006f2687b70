import type { AccountId, UnixMs } from "@propgate/core";
import type { Clock } from "../clock.ts";
import type { Chance } from "../random.ts";
import type { ApiKey, KeyScope } from "./api-key.ts";
import type { KeyStore } from "./key-store-port.ts";
import type { SecretBox } from "./seal-secret.ts";

export interface KeyRequest {
  readonly accountId: AccountId;
  readonly scopes: readonly KeyScope[];
  readonly label?: string;
  readonly addresses?: readonly string[];
  readonly expiresAtMs?: UnixMs | null;
}

export interface CreatedKey {
  readonly key: ApiKey;
  /** Shown this once; only its sealed form is kept. */
  readonly secret: string;
}

const ID_BYTES = 15; // 20 characters of base64url
const SECRET_BYTES = 32; // 43 characters, 256 bits

/** Makes and stores a key: `pk_` and 20, its secret `sk_` and 43 url-safe characters. @rule S5.R3 D8.keys */
export const createKey =
  (need: {
    readonly store: KeyStore;
    readonly box: SecretBox;
    readonly chance: Chance;
    readonly clock: Clock;
  }) =>
  async (request: KeyRequest): Promise<CreatedKey> => {
    const keyId = `pk_${urlSafe(need.chance.bytes(ID_BYTES))}`;
    const secret = `sk_${urlSafe(need.chance.bytes(SECRET_BYTES))}`;
    const key: ApiKey = {
      keyId,
      accountId: request.accountId,
      scopes: [...new Set(request.scopes)],
      label: request.label ?? "",
      addresses: request.addresses ?? [],
      createdAtMs: need.clock.now(),
      expiresAtMs: request.expiresAtMs ?? null,
      revokedAtMs: null,
    };
    await need.store.insert({ ...key, sealedSecret: need.box.seal(keyId, secret) });
    return { key, secret };
  };

function urlSafe(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
