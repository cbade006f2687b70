import {
  createSettingStore,
  type Database,
  type PerShard,
  readNewestQuoteEpoch,
} from "@propgate/ledger";

/** The setting that stores the newest epoch of a feed. */
const EPOCH_SETTING = "prices.epoch";

/**
 * Takes the epoch of a feed that starts, and stores it. It is greater than every earlier one, so a number never occurs
 * again with the same epoch. The tape and the accounts are compared too, because the stored setting may have been lost
 * with the last commits or restored from a backup.
 */
export async function nextEpoch(databases: PerShard<Database>, lastOnTape = 0): Promise<number> {
  const above = Math.max(lastOnTape, await lastAccountEpoch(databases));
  return createSettingStore(databases[0]).increment(EPOCH_SETTING, above);
}

/** The epochs of the feed of several nodes. The feed's lease counts them. */
export interface FeedEpochs {
  /** The greatest epoch that this node knows of. */
  lastKnown(): Promise<number>;
  /** Stores the epoch, so that later starts without a bus know it. */
  store(epoch: number): Promise<void>;
}

/** Opens the epochs of the feed, with the greatest one that the tape and the accounts know. */
export async function openFeedEpochs(
  databases: PerShard<Database>,
  heard: {
    readonly lastOnTape: number;
    readonly bus: { readonly reached: { readonly epoch: number } };
  },
): Promise<FeedEpochs> {
  const settings = createSettingStore(databases[0]);
  // The tape and the accounts are read only once: the node learns later epochs from the bus.
  const atStart = Math.max(heard.lastOnTape, await lastAccountEpoch(databases));
  return {
    async lastKnown() {
      const stored = Number((await settings.get(EPOCH_SETTING)) ?? 0);
      return Math.max(atStart, stored, heard.bus.reached.epoch);
    },
    store: async (epoch) => void (await settings.increment(EPOCH_SETTING, epoch - 1)),
  };
}

async function lastAccountEpoch(databases: PerShard<Database>): Promise<number> {
  return Math.max(...(await Promise.all(databases.map(readNewestQuoteEpoch))));
}
