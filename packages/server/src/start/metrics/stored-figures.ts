import type { Timer } from "@propgate/base";
import type { DueLag, LedgerShard } from "@propgate/ledger";

/** The figures of a scrape that come from one database. */
export interface StoredFigures {
  readonly tableRows: ReadonlyMap<string, number>;
  readonly due: DueLag;
}

/** The timeout of a database's answer. It is shorter than the timeout of a scrape in Prometheus, which is 10 s. */
const ANSWER_TIMEOUT_MS = 2_000;

/** Reads the figures of one database; null when the database fails or does not answer within two seconds. */
export async function readStoredFigures(options: {
  readonly shard: Pick<LedgerShard, "due" | "tableRows">;
  readonly timer: Timer;
}): Promise<StoredFigures | null> {
  let cancel = (): void => undefined;
  const late = new Promise<null>((resolve) => {
    cancel = options.timer.after(ANSWER_TIMEOUT_MS, () => resolve(null));
  });
  const figures = Promise.all([options.shard.tableRows(), options.shard.due.lag()]).then(
    ([rows, due]) => ({ tableRows: rows, due }),
    () => null,
  );
  const first = await Promise.race([figures, late]);
  cancel();
  return first;
}
