import type { Instruments } from "@propgate/core";
import type { Database } from "../../storage/databases/database.ts";
import { type PerShard, perShard, shardOf } from "../../storage/shards/per-shard.ts";
import { createJournalDesk, type JournalDesk } from "../journal/journal-desk.ts";

/**
 * The journals of all databases. Databases are verified and rebuilt one after the other, because each check or rebuild
 * reads whole tables.
 */
export function createShardedJournalDesk(
  databases: PerShard<Database>,
  instruments: Instruments,
): JournalDesk {
  const desks = perShard(databases, (database) => createJournalDesk(database, instruments));
  if (desks.length === 1) return desks[0];
  return {
    async verify(which) {
      if (which !== "all") return shardOf(desks, which).verify(which);
      let proof = await desks[0].verify("all");
      for (const desk of desks.slice(1)) {
        const next = await desk.verify("all");
        proof = {
          accounts: proof.accounts + next.accounts,
          events: proof.events + next.events,
          broken: [...proof.broken, ...next.broken],
        };
      }
      return proof;
    },
    async rebuild(which, write) {
      if (which !== "all") return shardOf(desks, which).rebuild(which, write);
      let rebuilt = await desks[0].rebuild("all", write);
      for (const desk of desks.slice(1)) {
        const next = await desk.rebuild("all", write);
        rebuilt = {
          accounts: rebuilt.accounts + next.accounts,
          different: [...rebuilt.different, ...next.different],
          written: rebuilt.written + next.written,
        };
      }
      return rebuilt;
    },
    readLastLines: (which, linesMax) => shardOf(desks, which).readLastLines(which, linesMax),
    findElimination: (which) => shardOf(desks, which).findElimination(which),
    export: (which, part) => shardOf(desks, which).export(which, part),
  };
}
