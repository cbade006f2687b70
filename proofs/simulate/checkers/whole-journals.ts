/**
 * Every journal is complete, each stored state is the one that its journal produces, and no node shows a different
 * state.
 */
import { type AccountState, evolve, parseEvent } from "@propgate/core";
import type { Database } from "../../../packages/ledger/src/storage/databases/database.ts";
import {
  type AccountHead,
  journalLines,
  readAccountHeads,
} from "../../../packages/ledger/src/storage/journal/journal-store.ts";
import { rebuildJournal } from "../../../packages/ledger/src/trading/journal/rebuild-journal.ts";
import { verifyJournal } from "../../../packages/ledger/src/trading/journal/verify-journal.ts";
import type { Checker, Finding, Observation } from "../checker.ts";
import type { SimulatedNode } from "../node/simulated-node.ts";

interface WatchedRun {
  readonly databases: readonly Database[];
  readonly nodes: readonly Pick<SimulatedNode, "isReady" | "read">[];
  /** Lets the nodes work until their reads are done. */
  readonly untilQuiet: () => Promise<void>;
}

/**
 * Verifies every journal, rebuilds the state and the projections from it, and compares them with the stored ones and
 * with the accounts that the nodes show. @rule D13.namedByHash
 */
export class WholeJournals implements Checker {
  readonly name = "histories";
  readonly #on: WatchedRun;

  constructor(on: WatchedRun) {
    this.#on = on;
  }

  async check({ instruments, calm }: Observation): Promise<readonly Finding[]> {
    const found: Finding[] = [];
    const add = (accountId: string, message: string): void =>
      void found.push({ checker: this.name, accountId, message });
    for (const database of this.#on.databases) {
      const { broken } = await verifyJournal(database, "all");
      for (const line of broken)
        add(line.accountId, `the journal is broken: ${JSON.stringify(line)}`);
      const all = { database, evolve, instruments, which: "all", write: false } as const;
      const { different } = await rebuildJournal(all);
      for (const id of different) add(id, "the stored state is not the fold of the journal");
      if (calm) await this.#read(database, add);
    }
    return found;
  }

  async #read(database: Database, add: (accountId: string, message: string) => void) {
    const ready = this.#on.nodes.filter(({ isReady }) => isReady);
    for await (const { accountId, version, headHash: whole } of readAccountHeads(database, "all")) {
      const headHash = Buffer.from(whole.subarray(0, 16)).toString("hex");
      const reading = Promise.all(ready.map((node) => node.read({ accountId, version, headHash })));
      await this.#on.untilQuiet();
      for (const account of await reading) {
        // The account may have got further lines while the nodes read.
        const folded = await foldOf(database, { accountId, version: account?.version ?? 0 });
        if (JSON.stringify(account?.state) === JSON.stringify(folded)) continue;
        add(
          accountId,
          `a node shows line ${account?.version}, which is not the fold of the journal`,
        );
      }
    }
  }
}

async function foldOf(
  database: Database,
  { accountId, version }: Pick<AccountHead, "accountId" | "version">,
): Promise<AccountState | null> {
  let state: AccountState | null = null;
  for await (const { event } of journalLines(database, accountId, { after: 0, upTo: version })) {
    state = evolve(state, parseEvent(event));
  }
  return state;
}
