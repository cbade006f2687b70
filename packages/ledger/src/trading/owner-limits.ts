import { createMicroBatcher, createSerialQueue } from "@propgate/base";
import type { OwnerId } from "@propgate/core";
import type { Database } from "../storage/databases/database.ts";
import type { AccountStore } from "../storage/stores/account-store.ts";
import { createOwnerMaximumStore, withOpeningLock } from "../storage/stores/owner-maximum-store.ts";

/**
 * `active` is the number of the owner's accounts that are provisioning or active. `max` is the highest number that the
 * owner may have; null for no limit.
 */
export interface OwnerAccounts {
  readonly active: number;
  readonly max: number | null;
}

/** The program, with its version, on which an account is sold. */
export interface SoldProgram {
  readonly id: string;
  readonly version: number;
}

/**
 * The maximum number of an owner's accounts: the owner's own, else the program's, else that of all owners.
 * @rule D13.accountLimit
 */
export interface OwnerLimits {
  /**
   * The number of the owner's accounts, with the maximum under this program. `program` is null for an account of a
   * validator.
   */
  of(owner: OwnerId, program: SoldProgram | null): Promise<OwnerAccounts>;
  /** Sets the owner's own maximum. Null removes it. */
  set(owner: OwnerId, max: number | null): Promise<void>;
  /**
   * Does the work alone: no other call of this function, in any process, does its work at the same time. The work
   * counts and opens accounts, so that two openings cannot pass the maximum together.
   */
  runExclusively<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** The maximum number of owners whose accounts one statement counts, when requests are concurrent. */
const BATCH_MAX = 256;
const BATCHES_CONCURRENT_MAX = 2;

export function createOwnerLimits(options: {
  readonly database: Database;
  readonly accounts: Pick<AccountStore, "countActiveOf">;
  /** The maximum of owners for whom no other maximum is set; null for no limit. */
  readonly ofAll: number | null;
}): OwnerLimits {
  const { database, accounts } = options;
  const store = createOwnerMaximumStore(database);
  const turns = createSerialQueue();
  /** The maximums by program and version. They are kept, because a version never changes. */
  const ofPrograms = new Map<string, number | null>();
  const counts = createMicroBatcher<OwnerId, OwnerAccounts>({
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
    // The first maximum that is set applies: the owner's, the program's, the service's. @rule D13.accountLimit decides
    async of(owner, program) {
      const { active, max } = await counts.submit(owner);
      const sold = max === null && program !== null ? await ofProgram(program) : null;
      return { active, max: max ?? sold ?? options.ofAll };
    },
    set: (owner, max) => store.set(owner, max),
    runExclusively: (work) =>
      // Only one process with one session uses the embedded database, so it needs no lock.
      turns.run(() => (database.kind === "pglite" ? work() : withOpeningLock(database, work))),
  };
}
