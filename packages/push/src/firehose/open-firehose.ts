import type { Chance, Timer } from "@propgate/base";
import {
  createRestoreStore,
  createSettingStore,
  type Database,
  type Executor,
  INSTALLATION_SETTING,
  type PerShard,
  perShard,
} from "@propgate/ledger";
import { createTransactionLines } from "../storage/transaction-lines.ts";
import { createFirehose, type Firehose } from "./firehose.ts";
import { identityOf } from "./firehose-cursor.ts";
import { createFirehoseWaits } from "./firehose-waits.ts";

/** Requests of a process that wait at the same time; one more is answered immediately. */
const WAITS_MAX = 64;

/** Reads the events of all accounts, and wakes the requests that wait for them. */
export function openFirehose(options: {
  readonly shards: PerShard<{
    readonly database: Database;
    readonly executor: Pick<Executor, "onCommit">;
  }>;
  readonly timer: Timer;
  readonly chance: Chance;
  readonly onFault: (cause: unknown) => void;
}): Firehose {
  const { timer, chance, onFault } = options;
  const parts = perShard(options.shards, ({ database }, number) => ({
    lines: createTransactionLines(database),
    identity: async () => identityOf(await incarnationOf(database, chance), number),
  }));
  const waits = createFirehoseWaits({
    lines: perShard(parts, ({ lines }) => lines),
    executors: perShard(options.shards, ({ executor }) => executor),
    timer,
    waitsMax: WAITS_MAX,
    onFault,
  });
  return createFirehose({ parts, waits });
}

/** The id of the installation, or after a restore of the database's incarnation. */
async function incarnationOf(database: Database, chance: Chance): Promise<string> {
  const restored = await createRestoreStore(database).incarnation();
  if (restored !== null) return restored;
  const settings = createSettingStore(database);
  const known = await settings.get(INSTALLATION_SETTING);
  return known ?? settings.setOnce(INSTALLATION_SETTING, chance.uuid());
}
