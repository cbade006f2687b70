import type { ListSource } from "./list-query.ts";

/** The lanes of a webhook. */
export function laneRows(endpointId: string): ListSource {
  return {
    rows: `select l.account_id as "accountId", a.owner_id as "ownerId",
      case when l.parked_at_ms is not null then 'parked' when a.version > l.delivered_seq then 'waiting' else 'idle' end
        as state,
      l.delivered_seq as "deliveredSequence", greatest(a.version - l.delivered_seq, 0) as behind, l.attempts,
      case when l.parked_at_ms is null and a.version > l.delivered_seq and l.next_at_ms > 0 then l.next_at_ms end
        as "nextAttemptMs",
      l.last_status as "lastStatus"
    from webhook_lanes l join accounts a using (account_id) where l.endpoint_id = $1::text`,
    parameters: [endpointId],
    uuids: ["accountId"],
    of: "all",
  };
}

/** The attempts of a webhook; `recorded` is of one attempt alone, over all databases. */
export function deliveryRows(endpointId: string): ListSource {
  return {
    rows: `select account_id as "accountId", event_id as "eventId", at_ms as "atMs", attempt, status,
      latency_ms as "latencyMs", answer, error,
      concat(lpad(attempt_id::text, 19, '0'), account_id) as recorded
    from webhook_attempts where endpoint_id = $1::text`,
    parameters: [endpointId],
    uuids: ["accountId"],
    of: "all",
  };
}
