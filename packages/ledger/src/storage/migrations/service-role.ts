import type { Database } from "../databases/database.ts";
import { DatabaseUnusable } from "../databases/database-error.ts";

/**
 * The minimal rights of the service on each table. Journal, nonces, receipts, programs and audit are append-only: an
 * attacker with the service's password cannot change or delete their rows. Tables that are derived from the journal can
 * be rebuilt, so their rows may be deleted. Old nonces are merged only by the function `merge_nonces`, which runs with
 * its owner's rights and forgets none.
 */
export const SERVICE_PRIVILEGES: readonly (readonly [table: string, may: string])[] = [
  ["account_states", "select, insert, update"],
  ["accounts", "select, insert, update"],
  ["alert_heads", "select, insert, update"],
  ["alerts", "select, insert, update, delete"],
  ["answered_questions", "select, insert, delete"],
  ["audit", "select, insert"],
  ["candle_days", "select, insert, update, delete"],
  ["candle_hours", "select, insert, update, delete"],
  ["catalogues", "select, insert"],
  ["corporate_actions", "select, insert, update"],
  ["daily_returns", "select, insert, delete"],
  ["equity_points", "select, insert, delete"],
  ["evidence_keys", "select, insert, update"],
  ["external_ids", "select, insert"],
  ["funding_rates", "select, insert, update"],
  ["idempotency_keys", "select, insert, update, delete"],
  ["journal", "select, insert"],
  ["key_usage", "select, insert, update"],
  ["keys", "select, insert, update"],
  ["known_browsers", "select, insert, delete"],
  ["known_networks", "select, insert, update, delete"],
  ["leases", "select, insert, update"],
  ["linked_accounts", "select, insert, update"],
  ["linked_records", "select, insert, update"],
  ["nodes", "select, insert, update, delete"],
  ["nonce_blocks", "select"],
  ["nonces", "select, insert"],
  ["operator_tokens", "select, insert, update"],
  ["order_index", "select, insert, update, delete"],
  ["order_lines", "select, insert, delete"],
  ["owner_databases", "select, insert"],
  ["owner_maxima", "select, insert, update, delete"],
  ["passkeys", "select, insert, update, delete"],
  ["payouts", "select, insert, update, delete"],
  ["people", "select, insert, update"],
  ["price_choices", "select, insert, update"],
  ["programs", "select, insert"],
  ["quotes", "select, insert, update"],
  ["receipts", "select, insert"],
  ["rejected_orders", "select, insert, delete"],
  ["restored_payouts", "select"],
  ["schema_migrations", "select"],
  ["sessions", "select, insert, update, delete"],
  ["settings", "select, insert, update"],
  ["sign_in_failures", "select, insert, update, delete"],
  ["sign_in_links", "select, insert, update, delete"],
  ["trades", "select, insert, delete"],
  ["upstream_orders", "select, insert, update"],
  ["webhook_attempts", "select, insert, delete"],
  ["webhook_endpoints", "select, insert, update, delete"],
  ["webhook_lanes", "select, insert, update, delete"],
];

const SERVICE_FUNCTIONS = ["merge_nonces", "partition_of"];

/** The statements that give the role exactly the rights to run the service. */
function grantStatements(role: string): readonly string[] {
  const name = `"${role.replaceAll('"', '""')}"`;
  return [
    `revoke all on all tables in schema public from ${name}`,
    `grant usage on schema public to ${name}`,
    ...SERVICE_PRIVILEGES.map(([table, may]) => `grant ${may} on ${table} to ${name}`),
    ...SERVICE_FUNCTIONS.map((called) => `grant execute on function ${called} to ${name}`),
  ];
}

interface RoleRow {
  readonly is_super: boolean;
  readonly is_owner: boolean;
}

/**
 * Grants the role the rights to run the service, and revokes all its other rights on the tables of the schema `public`.
 * @throws DatabaseUnusable when there is no such role, or it is a superuser or the tables' owner
 */
export async function grantService(database: Database, role: string): Promise<void> {
  const rows = await database.query<RoleRow>(
    `select rolsuper as is_super,
       pg_has_role(oid, (select relowner from pg_class where oid = 'journal'::regclass), 'usage') as is_owner
     from pg_roles where rolname = $1`,
    [role],
  );
  const [found] = rows;
  if (found === undefined) {
    throw new DatabaseUnusable(
      `There is no role ${role} on that server. Create it with "create role".`,
    );
  }
  if (found.is_super || found.is_owner) {
    throw new DatabaseUnusable(
      `The role ${role} is a superuser or owns the tables, so no grant can limit it. Create a separate role for the service.`,
    );
  }
  await database.transaction(async (transaction) => {
    for (const statement of grantStatements(role)) await transaction.query(statement);
  });
}
