import type { UnixMs } from "@propgate/core";
import { cooldownCondition } from "../guard-cooldown.ts";
import type { ListSource } from "./list-query.ts";

/** The keys of all accounts at this moment, with the words of the API for their scopes. */
export function keyRows(nowMs: UnixMs): ListSource {
  return {
    rows: `select k.key_id as "keyId", k.account_id as "accountId", x.external_id as "externalId", a.owner_id as "ownerId",
      array_replace(array_replace(k.scopes, 'read', 'trade:read'), 'place', 'trade:place') as scopes, k.label,
      k.addresses, k.created_at_ms as "createdAtMs", k.expires_at_ms as "expiresAtMs",
      k.revoked_at_ms as "revokedAtMs", k.paused_at_ms as "pausedAtMs", u.last_used_at_ms as "lastUsedAtMs",
      u.last_used_from as "lastUsedFrom",
      case when ${cooldownCondition("u", "$1::bigint")} then u.cooldown_until_ms end as "cooldownUntilMs"
    from keys k join key_usage u using (key_id) join accounts a using (account_id)
      left join external_ids x using (account_id)`,
    parameters: [nowMs],
    uuids: ["accountId"],
    databases: "all",
  };
}
