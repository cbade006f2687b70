import type { Queryable } from "../databases/database.ts";

/** The right of one node to do some work until the lease ends. */
export interface Lease {
  readonly name: string;
  /**
   * Increases with every claim of the name. After a failover that loses a claim, another node can get the epoch of the
   * lost claim again.
   */
  readonly epoch: number;
  /** The id of the node that claimed it. */
  readonly owner: string;
}

/** The leases of one database: nodes claim, renew and release them. */
export interface LeaseStore {
  /**
   * Claims, for the owner, each of these leases that has no owner, has ended, or already belongs to this owner. Returns
   * the claimed leases. Each gets a new epoch, greater than `above` and than every earlier epoch of the lease.
   */
  claim(
    names: readonly string[],
    by: { readonly owner: string; readonly forMs: number; readonly above: number },
  ): Promise<readonly Lease[]>;
  /**
   * Extends the leases that still have this owner and epoch, and returns them. Each of the other leases was claimed
   * again, with a newer epoch.
   */
  renew(
    leases: readonly Lease[],
    by: { readonly owner: string; readonly forMs: number },
  ): Promise<readonly Lease[]>;
  /** Ends each of the leases that still has this owner and epoch, so that another node can claim it immediately. */
  release(leases: readonly Lease[], owner: string): Promise<void>;
  /** The newest epoch of the name; null before its first claim. */
  epochOf(name: string): Promise<number | null>;
  /** The owner of each of the leases that has not ended, by the lease's name. */
  ownersOf(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

interface LeaseRow {
  readonly name: string;
  readonly epoch: string;
  readonly owner: string;
}

/** Selects the given leases that still have this owner and epoch, and locks their rows in order of name. */
const HELD_LEASES = `with mine as (
  select leases.name from leases
  join unnest($1::text[], $2::bigint[]) as held (name, epoch) using (name, epoch)
  where leases.owner = $3 order by leases.name for update of leases)`;

const heldLeaseParameters = (leases: readonly Lease[], owner: string): readonly unknown[] => [
  leases.map(({ name }) => name),
  leases.map(({ epoch }) => epoch),
  owner,
];

/** All times are those of the database's clock. A statement on several leases locks them in order of name. */
export function createLeaseStore(database: Queryable): LeaseStore {
  return {
    async claim(names, { owner, forMs, above }) {
      // A conflict locks the existing row, so leases that other nodes own are left out before the insert.
      const rows = await database.query<LeaseRow>(
        `insert into leases (name, owner, epoch, lease_until)
         select name, $2::uuid, $4::bigint + 1, clock_timestamp() + $3::float8 * interval '1 millisecond'
         from unnest($1::text[]) as wanted (name)
         where not exists (
           select from leases
           where leases.name = wanted.name and leases.owner <> $2::uuid and leases.lease_until >= clock_timestamp())
         order by name
         on conflict (name) do update
         set owner = excluded.owner, epoch = greatest(leases.epoch, $4::bigint) + 1,
           lease_until = clock_timestamp() + $3::float8 * interval '1 millisecond'
         where leases.lease_until < clock_timestamp() or leases.owner = excluded.owner
         returning name, epoch, owner`,
        [[...names], owner, forMs, above],
      );
      return rows.map(leaseOf);
    },
    async renew(leases, { owner, forMs }) {
      const rows = await database.query<LeaseRow>(
        `${HELD_LEASES}
         update leases set lease_until = clock_timestamp() + $4::float8 * interval '1 millisecond'
         from mine where leases.name = mine.name returning leases.name, leases.epoch, leases.owner`,
        [...heldLeaseParameters(leases, owner), forMs],
      );
      return rows.map(leaseOf);
    },
    async release(leases, owner) {
      await database.query(
        `${HELD_LEASES}
         update leases set lease_until = clock_timestamp() from mine where leases.name = mine.name`,
        heldLeaseParameters(leases, owner),
      );
    },
    async epochOf(name) {
      const rows = await database.query<LeaseRow>(
        "select name, epoch, owner from leases where name = $1",
        [name],
      );
      return rows[0] === undefined ? null : leaseOf(rows[0]).epoch;
    },
    async ownersOf(names) {
      const rows = await database.query<{ readonly name: string; readonly owner: string }>(
        "select name, owner from leases where name = any ($1) and lease_until >= clock_timestamp()",
        [[...names]],
      );
      return new Map(rows.map(({ name, owner }) => [name, owner]));
    },
  };
}

function leaseOf({ name, epoch, owner }: LeaseRow): Lease {
  return { name, epoch: Number(epoch), owner };
}
