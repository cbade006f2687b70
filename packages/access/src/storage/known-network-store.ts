import type { UnixMs } from "@propgate/core";
import type { PersonId, Queryable } from "@propgate/ledger";

/** The networks in which people have signed in. */
export interface KnownNetworkStore {
  /**
   * Records the network of a sign-in. True when the person has signed in before, but not in this network since
   * `sinceMs`. To be called in the transaction of the sign-in, which has locked the person's row.
   */
  recordNetwork(
    personId: PersonId,
    seen: { readonly network: string; readonly atMs: UnixMs; readonly sinceMs: number },
  ): Promise<boolean>;
}

/** Maximum number of networks of one person; beyond it the least recently used one is forgotten. */
const NETWORKS_MAX = 100;

const SEE = `
with before as materialized (
  select count(*) as known, max(last_seen_ms) filter (where network = $2) as own
  from known_networks where person_id = $1
), noted as (
  insert into known_networks (person_id, network, last_seen_ms) values ($1, $2, $3)
  on conflict (person_id, network)
  do update set last_seen_ms = greatest(known_networks.last_seen_ms, excluded.last_seen_ms)
), forgotten as (
  delete from known_networks where person_id = $1 and network in (
    select network from known_networks where person_id = $1 and network <> $2
    order by last_seen_ms desc, network offset ${NETWORKS_MAX - 1})
)
select known > 0 and coalesce(own, 0) < $4::bigint as is_new from before`;

export function createKnownNetworkStore(transaction: Queryable): KnownNetworkStore {
  return {
    async recordNetwork(personId, { network, atMs, sinceMs }) {
      const [row] = await transaction.query<{ readonly is_new: boolean }>(SEE, [
        personId,
        network,
        atMs,
        sinceMs,
      ]);
      return row?.is_new === true;
    },
  };
}
