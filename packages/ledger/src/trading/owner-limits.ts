import { createMicroBatch, createTurns } from "@propgate/base";
import type { OwnerId } from "@propgate/core";
import type { Database } from "../storage/databases/database.ts";
import type { AccountStore } from "../storage/stores/account-store.ts";
import { createOwnerMaximumStore, openingAlone } from "../storage/stores/owner-maximum-store.ts";

/** How many accounts an owner has that are provisioning or active, and may have; null without a maximum. */
export interface OwnerAccounts {
  readonly active: number;
  readonly max: number | null;
}

/** A version of a program that an account is sold on. */
export interface SoldProgram {
  readonly id: string;
  readonly version: number;
}

/** The maximum of an owner's accounts: the owner's, else the program's, else that of all. @rule D13.accountLimit */
export interface OwnerLimits {
  /** The program is null for an account of a validator. */
  of(owner: OwnerId, program: SoldProgram | null): Promise<OwnerAccounts>;
  /** Sets the owner's own maximum; null removes it. */
  set(owner: OwnerId, max: number | null): Promise<void>;
  /** Carries out the work while no other process opens an account of an owner with a maximum. */
  alone<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** Counts of concurrent requests are read with one statement. */
const BATCH_MAX = 256;
const BATCHES_CONCURRENT_MAX = 2;

export function createOwnerLimits(options: {
  readonly database: Database;
  readonly accounts: Pick<AccountStore, "countActiveOf">;
  /** Null without a maximum for all. */
  readonly ofAll: number | null;
}): OwnerLimits {
  const { database, accounts } = options;
  const store = createOwnerMaximumStore(database);
  const turns = createTurns();
  /** A version never changes. */
  const ofPrograms = new Map<string, number | null>();
  const counts = createMicroBatch<OwnerId, OwnerAccounts>({
    batchMax: BATCH_MAX,
    concurrentMax: BATCHES_CONCURRENT_MAX,
    async run(owners) {
      const each = [...new Set(owners)];
      const [active, maxima] = await Promise.all([
        accounts.countActiveOf(each),
        store.ofOwners(each),
      ]);
      return owners.map((owner) => ({
        active: active.get(owner) ?? 0,
        max: maxima.get(owner) ?? null,
      }));
    },
  });
  const ofProgram = async ({ id, version }: SoldProgram): Promise<number | null> => {
    const name = `${id} ${version}`;
    const known = ofPrograms.get(name);
    if (known !== undefined) return known;
    const max = await store.ofProgram(id, version);
    ofPrograms.set(name, max);
    return max;
  };
  return {
    // @rule D13.accountLimit decides
    async of(owner, program) {
      const { active, max } = await counts.submit(owner);
      const sold = max === null && program !== null ? await ofProgram(program) : null;
      return { active, max: max ?? sold ?? options.ofAll };
    },
    set: (owner, max) => store.set(owner, max),
    alone: (work) =>
      // The embedded database has one process, and one session.
      turns.take(() => (database.kind === "pglite" ? work() : openingAlone(database, work))),
  };
}
