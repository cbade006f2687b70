import { type Chance, type Clock, drawBase62, type RepeatableCall } from "@propgate/base";
import { LIMITS, makeSecret, SECRET_PREFIX } from "@propgate/contract";
import type { AccountId, UnixMs } from "@propgate/core";
import { keyIdOnShard, shardNumberOf } from "@propgate/ledger";
import type { ApiKey, KeyScope } from "../storage/api-key.ts";
import type { KeyStore } from "../storage/key-store-port.ts";
import type { SecretBox } from "./seal-secret.ts";

/** A key to create. */
export interface KeyRequest {
  readonly accountId: AccountId;
  readonly scopes: readonly KeyScope[];
  readonly label?: string;
  readonly addresses?: readonly string[];
  readonly expiresAtMs?: UnixMs | null;
  /** The name of the person or token that creates the key; the service when absent. */
  readonly by?: string;
}

/** The name in alerts for a key that neither a person nor a token created. */
export const SERVICE_ACTOR = "service";

/** A new key and its secret. */
export interface CreatedKey {
  readonly key: ApiKey;
  /** The secret. It is shown only at this time; the database stores it encrypted. */
  readonly secret: string;
}

/** The text with which a key beyond the maximum of its account is refused. */
export const TOO_MANY_KEYS: string = `The account has ${LIMITS.activeKeysMax} active keys, which is the maximum; revoke one first`;

const ID_CHARACTERS = 20; // 119 bits
const SECRET_BYTES = 32; // 43 characters, 256 bits

/**
 * Makes a function that creates and stores a key. The key's id is `pk_` and 20 letters and digits, and 2 more
 * characters when the account is not on the first database. Its secret is `propgate_sk_`, 43 url-safe characters and
 * their checksum. Only the result of this function has the secret, and no call can change the scopes later. When `act`
 * repeats an earlier call, the function returns the same key and secret. The function returns null when the account has
 * the maximum number of keys.
 * @rule D8.keys D10.secretForm @rule S5.R3 decides
 */
export const createKey =
  (options: {
    readonly store: KeyStore;
    readonly box: SecretBox;
    readonly chance: Chance;
    readonly clock: Clock;
  }) =>
  async (request: KeyRequest, act: RepeatableCall | null = null): Promise<CreatedKey | null> => {
    const chance = act?.chance("key") ?? options.chance;
    const keyId = keyIdOnShard(shardNumberOf(request.accountId), drawBase62(chance, ID_CHARACTERS));
    const secret = makeSecret(SECRET_PREFIX, toUrlSafe(chance.bytes(SECRET_BYTES)));
    const [before] = act?.isRepeat === true ? await options.store.find([keyId]) : [];
    if (before !== undefined) {
      const { sealedSecret: _sealed, ...key } = before;
      return { key, secret };
    }
    const key: ApiKey = {
      keyId,
      accountId: request.accountId,
      scopes: [...new Set(request.scopes)],
      label: request.label ?? "",
      addresses: request.addresses ?? [],
      createdAtMs: options.clock.now(),
      expiresAtMs: request.expiresAtMs ?? null,
      revokedAtMs: null,
      pausedAtMs: null,
    };
    const sealed = { ...key, sealedSecret: options.box.seal(keyId, secret) };
    // The store counts the account's keys within the insert, so the maximum also holds for concurrent requests.
    // @rule D12.activeKeys decides
    const made = { activeMax: LIMITS.activeKeysMax, by: request.by ?? SERVICE_ACTOR };
    return (await options.store.insert(sealed, made)) ? { key, secret } : null;
  };

function toUrlSafe(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
