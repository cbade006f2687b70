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

/**
 * The maximum number of requests of a process that wait at the same time. A further request is answered without a wait.
 */
const WAITS_MAX = 64;

/** Opens the firehose of all databases. A commit of any of the executors wakes the requests that wait. */
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

/**
 * A text that identifies the database's history: the incarnation that a restore stored, else the id of the
 * installation, which is drawn at the first call.
 */
async function incarnationOf(database: Database, chance: Chance): Promise<string> {
  const restored = await createRestoreStore(database).incarnation();
  if (restored !== null) return restored;
  const settings = createSettingStore(database);
  const known = await settings.get(INSTALLATION_SETTING);
  return known ?? settings.setOnce(INSTALLATION_SETTING, chance.uuid());
}
