import type { Lease, LeaseStore } from "../../../ledger/src/storage/leases/lease-store.ts";

/** A model of the table of leases, with a clock of its own as a database has. */
export interface ModelLeases {
  readonly store: LeaseStore;
  pass(ms: number): void;
  setAway(away: boolean): void;
  /** Deletes all rows, like the restore of a backup from before the first claim. */
  loseRows(): void;
}

export function createModelLeases(): ModelLeases {
  const rows = new Map<string, { owner: string; epoch: number; untilMs: number }>();
  let nowMs = 5_000_000;
  let isAway = false;
  const reach = async (): Promise<void> => {
    if (isAway) throw new Error("the database is away");
  };
  const isMine = (owner: string) => (lease: Lease) => {
    const row = rows.get(lease.name);
    return row?.owner === owner && row.epoch === lease.epoch;
  };
  const store: LeaseStore = {
    async claim(names, { owner, forMs, above }) {
      await reach();
      return names.flatMap((name) => {
        const row = rows.get(name);
        if (row !== undefined && row.untilMs >= nowMs && row.owner !== owner) return [];
        const epoch = Math.max(row?.epoch ?? 0, above) + 1;
        rows.set(name, { owner, epoch, untilMs: nowMs + forMs });
        return [{ name, epoch, owner }];
      });
    },
    async renew(leases, { owner, forMs }) {
      await reach();
      const mine = leases.filter(isMine(owner));
      for (const { name, epoch } of mine) rows.set(name, { owner, epoch, untilMs: nowMs + forMs });
      return mine;
    },
    async release(leases, owner) {
      await reach();
      for (const { name, epoch } of leases.filter(isMine(owner))) {
        rows.set(name, { owner, epoch, untilMs: nowMs - 1 });
      }
    },
    epochOf: async (name) => rows.get(name)?.epoch ?? null,
    ownersOf: async (names) =>
      new Map(
        names.flatMap((name) => {
          const row = rows.get(name);
          return row === undefined || row.untilMs < nowMs ? [] : [[name, row.owner] as const];
        }),
      ),
  };
  return {
    store,
    pass: (ms: number) => {
      nowMs += ms;
    },
    setAway: (away: boolean) => {
      isAway = away;
    },
    loseRows: () => rows.clear(),
  };
}
