/** After a partition has a new epoch, no statement writes under the old one. */
import { accountId } from "@propgate/core";
import type { Queryable } from "../../../packages/ledger/src/storage/databases/database.ts";
import type { Checker, Finding, Observation } from "../checker.ts";

interface WriteRow {
  readonly write_id: string;
  readonly account_id: string;
  readonly version: string;
  readonly lease: string;
  readonly writer: string | null;
  readonly sent_step: string | null;
  readonly owner: string | null;
  readonly epoch: string | null;
  readonly claim_step: string | null;
}

const WRITES = "select * from simulated_writes where write_id > $1 order by write_id";

/**
 * Reads the recorded writes of accounts. Only the owner of the partition's lease may write, and it must have sent the
 * statement after the claim that gave the lease its epoch.
 */
export class OldEpochs implements Checker {
  readonly name = "old epochs";
  /** The id of the newest recorded write that was read, for each database. */
  readonly #last: string[] = [];

  async check({ database, databases = [database] }: Observation): Promise<readonly Finding[]> {
    const found: Finding[] = [];
    for (const [number, one] of databases.entries())
      found.push(...(await this.#checkOn(one, number)));
    return found;
  }

  async #checkOn(database: Queryable, number: number): Promise<readonly Finding[]> {
    const last = this.#last[number] ?? "0";
    const rows = await database.query<WriteRow>(WRITES, [last]);
    this.#last[number] = rows.at(-1)?.write_id ?? last;
    return rows.flatMap((row) => {
      const problem = problemOf(row);
      if (problem === null) return [];
      const message = `version ${row.version}, ${row.lease}: ${problem}`;
      return [{ checker: this.name, accountId: accountId(row.account_id), message }];
    });
  }
}

function problemOf(row: WriteRow): string | null {
  const { writer, owner, epoch } = row;
  if (owner === null) return `${writer} wrote it before any claim of the lease`;
  if (writer !== owner) return `${writer} wrote it under epoch ${epoch} of ${owner}`;
  const sentStep = Number(row.sent_step);
  const claimStep = Number(row.claim_step);
  if (sentStep >= claimStep) return null;
  return `${writer} sent it at step ${sentStep}, and epoch ${epoch} began at step ${claimStep}`;
}
