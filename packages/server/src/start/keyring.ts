/** Composes the API keys for the service and the sandbox. */

import { createKeyCache, type KeyCache } from "../access/keys/key-cache.ts";
import { createKeyDesk, type KeyDesk } from "../access/keys/manage-keys.ts";
import type { MasterKeys } from "../access/keys/master-key.ts";
import { createSecretBox, type SecretBox } from "../access/keys/seal-secret.ts";
import type { Clock } from "../base/clock.ts";
import type { Chance } from "../base/random.ts";
import { perShard } from "../storage/shards/per-shard.ts";
import { shardedKeys } from "../storage/shards/sharded-keys.ts";
import type { Shards } from "../storage/shards/shards.ts";
import { createKeyStore } from "../storage/stores/key-store.ts";

export interface Keyring {
  readonly cache: KeyCache;
  readonly desk: KeyDesk;
}

export function createKeyring(options: {
  readonly databases: Shards;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly masterKeys: MasterKeys;
  /** Wraps the box that opens secrets. */
  readonly wrapSecrets?: (box: SecretBox) => SecretBox;
}): Keyring {
  const { clock, chance } = options;
  const { databases } = options;
  const store = shardedKeys(databases);
  const plain = createSecretBox(options.masterKeys, chance);
  const box = options.wrapSecrets?.(plain) ?? plain;
  const cache = createKeyCache({ stores: perShard(databases.all, createKeyStore), box });
  return { cache, desk: createKeyDesk({ store, cache, box, chance, clock }) };
}
