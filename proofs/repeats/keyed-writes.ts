import type { ScratchDatabase } from "../../packages/server/src/testing/open-test-database.ts";

/** One write of the operator's interface, and the question that counts its effects. */
export interface KeyedWrite {
  readonly kind: string;
  /** Method and path below `/operator/v1`. */
  readonly call: string;
  readonly body: unknown;
  /** SQL with one row of one `count`, and its parameters. */
  readonly effects: readonly [text: string, parameters: readonly unknown[]];
  /** The path that deletes the created item, by that field of the answer; null when any number of items may exist. */
  readonly removal: { readonly path: string; readonly field: string } | null;
}

/** Makes the write with that number. Some writes act on an account, which an earlier write has opened for them. */
type MakeWrite = (write: { readonly name: string; readonly accountId: string }) => KeyedWrite;

/** The decisions of a command in the journal of an account: each has inputs on its first line. */
const DECISIONS =
  "select count(*)::int as count from journal where account_id = $1 and command = $2 and inputs is not null";

/** The writes cover every way in which a repetition finds out the result of the attempt before it. */
export const WRITES: readonly MakeWrite[] = [
  ({ name }) => ({
    kind: "accounts.open",
    call: "POST /accounts",
    body: { size: 100_000, ownerId: name },
    effects: ["select count(*)::int as count from accounts where owner_id = $1", [name]],
    removal: null,
  }),
  ({ accountId }) => ({
    kind: "accounts.promote",
    call: `POST /accounts/${accountId}/promote`,
    body: { phase: "challenge" },
    effects: [DECISIONS, [accountId, "promote"]],
    removal: null,
  }),
  ({ accountId }) => ({
    kind: "accounts.eliminate",
    call: `POST /accounts/${accountId}/eliminate`,
    body: { reason: "by hand" },
    effects: [DECISIONS, [accountId, "eliminateAccount"]],
    removal: null,
  }),
  ({ name, accountId }) => ({
    kind: "keys.create",
    call: "POST /keys",
    body: { accountId, scopes: ["trade:read"], label: name },
    effects: ["select count(*)::int as count from keys where label = $1", [name]],
    removal: null,
  }),
  ({ name }) => ({
    kind: "people.add",
    call: "POST /people",
    body: { name, role: "owner" },
    effects: ["select count(*)::int as count from people where name = $1", [name]],
    removal: null,
  }),
  ({ name }) => ({
    kind: "tokens.add",
    call: "POST /tokens",
    body: { name, expiresInHours: 1 },
    effects: ["select count(*)::int as count from operator_tokens where name = $1", [name]],
    removal: { path: "/tokens", field: "name" },
  }),
  ({ name }) => ({
    kind: "webhooks.create",
    call: "POST /webhooks",
    body: { url: "https://example.com/hook", label: name, enabled: false },
    effects: ["select count(*)::int as count from webhook_endpoints where label = $1", [name]],
    removal: { path: "/webhooks", field: "id" },
  }),
];

export async function effectsOf(
  database: ScratchDatabase,
  { effects: [text, parameters] }: KeyedWrite,
): Promise<number> {
  const [row] = await database.query<{ readonly count: number }>(text, parameters);
  return row?.count ?? 0;
}
