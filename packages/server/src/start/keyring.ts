/** Composes the API keys for the service and the sandbox. */

import { type KeyCache, keyCache } from "../access/keys/key-cache.ts";
import { type KeyDesk, keyDesk } from "../access/keys/manage-keys.ts";
import type { MasterKeys } from "../access/keys/master-key.ts";
import { type SecretBox, secretBox } from "../access/keys/seal-secret.ts";
import type { Clock } from "../base/clock.ts";
import type { Chance } from "../base/random.ts";
import type { Database } from "../storage/databases/database.ts";
import { keyStore } from "../storage/stores/key-store.ts";

export interface Keyring {
  readonly cache: KeyCache;
  readonly desk: KeyDesk;
}

export function createKeyring(need: {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly masterKeys: MasterKeys;
  /** Wraps the box that opens secrets. */
  readonly wrapSecrets?: (box: SecretBox) => SecretBox;
}): Keyring {
  const { clock, chance } = need;
  const store = keyStore(need.database);
  const plain = secretBox(need.masterKeys, chance);
  const box = need.wrapSecrets?.(plain) ?? plain;
  const cache = keyCache({ store, box });
  return { cache, desk: keyDesk({ store, cache, box, chance, clock }) };
}
