/** Keys with everything they stand on, put together once for the service and the sandbox alike. */
import type { Clock } from "./clock.ts";
import { type KeyCache, keyCache } from "./keys/key-cache.ts";
import { type KeyDesk, keyDesk } from "./keys/manage-keys.ts";
import type { MasterKeys } from "./keys/master-key.ts";
import { type SecretBox, secretBox } from "./keys/seal-secret.ts";
import type { Chance } from "./random.ts";
import type { Database } from "./storage/database.ts";
import { keyStore } from "./storage/stores/key-store.ts";

export interface Keyring {
  readonly cache: KeyCache;
  readonly desk: KeyDesk;
}

export function createKeyring(need: {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly masterKeys: MasterKeys;
  /** Something to stand in front of the opening of secrets. */
  readonly wrapSecrets?: (box: SecretBox) => SecretBox;
}): Keyring {
  const { clock, chance } = need;
  const store = keyStore(need.database);
  const plain = secretBox(need.masterKeys, chance);
  const box = need.wrapSecrets?.(plain) ?? plain;
  const cache = keyCache({ store, box });
  return { cache, desk: keyDesk({ store, cache, box, chance, clock }) };
}
