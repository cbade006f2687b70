import { NO_ACCOUNT, QUEUE_VERSION, WITH_QUEUE } from "@propgate/push";
import type { ListSource } from "./list-query.ts";

/** The lanes of a webhook. `queue` is different for each lane, so it breaks ties. */
export function laneRows(endpointId: string): ListSource {
  const waits = `${QUEUE_VERSION} > l.delivered_seq`;
  return {
    rows: `select nullif(l.account_id, ${NO_ACCOUNT}) as "accountId",
      coalesce(a.owner_id, nullif(l.owner, '')) as "ownerId",
      case when l.parked_at_ms is not null then 'parked' when ${waits} then 'waiting' else 'idle' end as state,
      l.delivered_seq as "deliveredSequence", greatest(${QUEUE_VERSION} - l.delivered_seq, 0) as behind, l.attempts,
      case when l.parked_at_ms is null and ${waits} and l.next_at_ms > 0 then l.next_at_ms end as "nextAttemptMs",
      l.last_status as "lastStatus", concat(l.account_id, l.owner) as queue
    from ${WITH_QUEUE} where l.endpoint_id = $1::text`,
    parameters: [endpointId],
    uuids: ["accountId"],
    databases: "all",
  };
}

/** The attempts of a webhook. `recorded` is different for each attempt in all databases, so it breaks ties. */
export function deliveryRows(endpointId: string): ListSource {
  return {
    rows: `select account_id as "accountId", event_id as "eventId", at_ms as "atMs", attempt, status,
      latency_ms as "latencyMs", answer, error,
      concat(lpad(attempt_id::text, 19, '0'), event_id) as recorded
    from webhook_attempts where endpoint_id = $1::text`,
    parameters: [endpointId],
    uuids: ["accountId"],
    databases: "all",
  };
}
