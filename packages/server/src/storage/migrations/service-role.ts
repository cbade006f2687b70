import type { Database } from "../databases/database.ts";
import { DatabaseUnusable } from "../databases/database-error.ts";

/**
 * What the service needs of each table, and no more. The journal, the nonces, the receipts, the
 * programs and the audit are only ever added to: whoever has the service's password alone can neither change nor take away
 * what was written there. What is made from the journal may be made anew, so it may be deleted.
 */
export const SERVICE_PRIVILEGES: readonly (readonly [table: string, may: string])[] = [
  ["accounts", "select, insert, update"],
  ["answered_questions", "select, insert, delete"],
  ["audit", "select, insert"],
  ["daily_returns", "select, insert, delete"],
  ["equity_points", "select, insert, delete"],
  ["journal", "select, insert"],
  ["key_usage", "select, insert, update"],
  ["keys", "select, insert, update"],
  ["known_browsers", "select, insert, delete"],
  ["nodes", "select, insert, update, delete"],
  ["nonces", "select, insert"],
  ["operator_tokens", "select, insert, update"],
  ["passkeys", "select, insert, update, delete"],
  ["payouts", "select, insert, update, delete"],
  ["people", "select, insert, update"],
  ["programs", "select, insert"],
  ["quotes", "select, insert, update"],
  ["receipts", "select, insert"],
  ["rejected_orders", "select, insert, delete"],
  ["schema_migrations", "select"],
  ["sessions", "select, insert, update, delete"],
  ["settings", "select, insert, update"],
  ["sign_in_failures", "select, insert, update, delete"],
  ["sign_in_links", "select, insert, update, delete"],
  ["trades", "select, insert, delete"],
];

/** The statements that make a role one that can run the service, and nothing else of the tables. */
function grantsTo(role: string): readonly string[] {
  const name = `"${role.replaceAll('"', '""')}"`;
  return [
    `revoke all on all tables in schema public from ${name}`,
    `grant usage on schema public to ${name}`,
    ...SERVICE_PRIVILEGES.map(([table, may]) => `grant ${may} on ${table} to ${name}`),
  ];
}

interface RoleRow {
  readonly is_super: boolean;
  readonly is_owner: boolean;
}

/**
 * Lets the role run the service on these tables; what it was allowed there before is taken away.
 * @throws DatabaseUnusable when there is no such role, or it is one that no grant holds back
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
      `There is no role ${role} on that server. Make it with "create role".`,
    );
  }
  if (found.is_super || found.is_owner) {
    throw new DatabaseUnusable(
      `The role ${role} is a superuser or owns the tables, so nothing holds it back. Give the service one of its own.`,
    );
  }
  await database.transaction(async (transaction) => {
    for (const statement of grantsTo(role)) await transaction.query(statement);
  });
}
