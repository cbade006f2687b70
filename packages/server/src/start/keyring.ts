/** Composes the API keys for the service and the sandbox. */

import {
  createKeyCache,
  createKeyDesk,
  createSecretBox,
  type KeyCache,
  type KeyDesk,
  type SecretBox,
} from "@propgate/access";
import type { Chance, Clock, MasterKeys } from "@propgate/base";
import { createKeyStore, perShard, type Shards, shardedKeys } from "@propgate/ledger";

export interface Keyring {
  readonly cache: KeyCache;
  readonly desk: KeyDesk;
  /** Seals under the master key. */
  readonly box: SecretBox;
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
  return { cache, box: plain, desk: createKeyDesk({ store, cache, box, chance, clock }) };
}
