/** Composes the API keys and the evidence key, for the service and the sandbox. */

import {
  createEvidenceKeys,
  createKeyCache,
  createKeyDesk,
  createKeyStore,
  createSecretBox,
  createShardedKeys,
  type EvidenceKeys,
  type KeyCache,
  type KeyDesk,
  type SecretBox,
} from "@propgate/access";
import type { Chance, Clock, MasterKeys } from "@propgate/base";
import { perShard, type Shards } from "@propgate/ledger";

/**
 * The keys of a service: the API keys with their cache and their desk, the box that seals secrets, and the keys for
 * evidence.
 */
export interface Keyring {
  readonly cache: KeyCache;
  readonly desk: KeyDesk;
  /** Seals secrets under the master key. */
  readonly box: SecretBox;
  /** The keys with which the installation signs evidence. */
  readonly evidence: EvidenceKeys;
}

export function createKeyring(options: {
  readonly databases: Shards;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly masterKeys: MasterKeys;
  /** Wraps the box that opens the secrets of API keys; a sandbox adds its faults in this way. */
  readonly wrapSecrets?: (box: SecretBox) => SecretBox;
}): Keyring {
  const { clock, chance } = options;
  const { databases } = options;
  const store = createShardedKeys(databases);
  const plain = createSecretBox(options.masterKeys, chance);
  const box = options.wrapSecrets?.(plain) ?? plain;
  const cache = createKeyCache({ stores: perShard(databases.all, createKeyStore), box });
  const evidence = createEvidenceKeys({
    database: databases.first,
    box: plain,
    chance,
    clock,
  });
  return { cache, box: plain, evidence, desk: createKeyDesk({ store, cache, box, chance, clock }) };
}
