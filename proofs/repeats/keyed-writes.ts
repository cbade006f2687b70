import { OPERATOR_CALLS } from "@propgate/contract";
import type { ScratchDatabase } from "../../packages/server/src/testing/open-test-database.ts";
import type { RepeatableWrite } from "../../packages/server/src/testing/repeatable-writes.ts";

/** One write of the operator's interface, with the query that counts its effects. */
export interface KeyedWrite {
  readonly kind: RepeatableWrite;
  /** Method and path of the call, the path below `/operator/v1`. */
  readonly call: string;
  readonly body: unknown;
  /** An SQL query whose only row has the number of effects as `count`, and its parameters. */
  readonly effects: readonly [text: string, parameters: readonly unknown[]];
  /**
   * How the item of the answer is deleted: the path of its collection, and the field of the answer with its id. Null
   * when the item may stay, or is deleted by the write itself.
   */
  readonly removal: { readonly path: string; readonly field: string } | null;
}

/** The parts of a write that differ between the writes of a kind. */
interface WriteParts extends Pick<KeyedWrite, "effects"> {
  /** Undefined when the call has no body. */
  readonly body?: unknown;
  readonly removal?: KeyedWrite["removal"];
}

interface WriteTarget {
  readonly name: string;
  /** The id of the item on which the write acts. */
  readonly id: string;
}

interface WriteKind {
  readonly on: WriteItem;
  readonly make: (wanted: WriteTarget) => WriteParts;
}

/**
 * The items on which writes act. Payouts are earned before the writes; every other item is created for one write only.
 */
export type WriteItem = keyof typeof ITEM_CREATIONS | "payout";

/** How an item is created: by a write with its own idempotency key. The field of its answer holds the item's id. */
export const ITEM_CREATIONS = {
  account: {
    call: "POST /accounts",
    field: "accountId",
    body: (name: string) => accountBody(name),
  },
  waitingAccount: {
    call: "POST /accounts",
    field: "accountId",
    body: (name: string) => ({ ...accountBody(name), provisioned: false }),
  },
  owner: { call: "POST /accounts", field: "ownerId", body: (name: string) => accountBody(name) },
  person: {
    call: "POST /people",
    field: "personId",
    body: (name: string) => ({ name: `${name}-person`, role: "owner" }),
  },
  webhook: {
    call: "POST /webhooks",
    field: "id",
    body: (name: string) => ({ ...HOOK, label: name }),
  },
} as const;

const HOOK = { url: "https://example.com/hook", enabled: false };

function accountBody(name: string) {
  return { size: 100_000, ownerId: `${name}-owner` };
}

/** Counts the decisions of a command in the journal of an account. The first line of each decision has inputs. */
function decisionCount(accountId: string, command: string): KeyedWrite["effects"] {
  return [
    "select count(*)::int as count from journal where account_id = $1 and command = $2 and inputs is not null",
    [accountId, command],
  ];
}

const commandOnAccount = (command: string, body: unknown): WriteKind => ({
  on: "account",
  make: ({ id }) => ({ body, effects: decisionCount(id, command) }),
});

/** Marks a write whose effects are not counted; `WRITE_KINDS` explains why. */
type Uncounted = "uncounted";

/**
 * Every write that may be repeated, by its name in `OPERATOR_CALLS`. The uncounted ones change data that all writes
 * share, need more than two nodes, or leave the same state however often they act. `repeated-writes.test.ts` compares
 * all stored data after most of them.
 */
const WRITE_KINDS: Readonly<Record<RepeatableWrite, WriteKind | Uncounted>> = {
  "accounts.open": {
    on: "account",
    make: ({ name }) => ({
      body: { size: 100_000, ownerId: name },
      effects: ["select count(*)::int as count from accounts where owner_id = $1", [name]],
    }),
  },
  "accounts.link": "uncounted",
  "accounts.update": {
    on: "account",
    make: ({ name }) => ({
      body: { externalId: name },
      effects: ["select count(*)::int as count from external_ids where external_id = $1", [name]],
    }),
  },
  "accounts.provision": {
    on: "waitingAccount",
    make: ({ id }) => ({ body: {}, effects: decisionCount(id, "provisionAccount") }),
  },
  "accounts.close": commandOnAccount("closeAccount", {}),
  "accounts.eliminate": commandOnAccount("eliminateAccount", { reason: "by hand" }),
  "accounts.promote": commandOnAccount("promote", { phase: "challenge" }),
  "accounts.offerPro": commandOnAccount("offerPro", { proAccountSize: 200_000 }),
  "keys.create": {
    on: "account",
    make: ({ name, id }) => ({
      body: { accountId: id, scopes: ["trade:read"], label: name },
      effects: ["select count(*)::int as count from keys where label = $1", [name]],
    }),
  },
  "keys.rekey": "uncounted",
  "keys.revoke": "uncounted",
  "people.add": {
    on: "account",
    make: ({ name }) => ({
      body: { name, role: "owner" },
      effects: ["select count(*)::int as count from people where name = $1", [name]],
    }),
  },
  "people.update": {
    on: "person",
    make: ({ name }) => ({
      body: { externalId: name },
      effects: ["select count(*)::int as count from people where external_id = $1", [name]],
    }),
  },
  "people.link": {
    on: "person",
    make: ({ id }) => ({
      body: {},
      effects: ["select count(*)::int as count from sign_in_links where person_id = $1", [id]],
    }),
  },
  "people.disable": {
    on: "person",
    make: ({ id }) => ({
      body: {},
      effects: [
        "select count(*)::int as count from people where person_id = $1 and disabled_at_ms is not null",
        [id],
      ],
    }),
  },
  "people.enable": "uncounted",
  "tokens.add": {
    on: "account",
    make: ({ name }) => ({
      body: { name, expiresInHours: 1 },
      effects: ["select count(*)::int as count from operator_tokens where name = $1", [name]],
      removal: { path: "/tokens", field: "name" },
    }),
  },
  "tokens.revoke": "uncounted",
  "owners.update": {
    on: "owner",
    make: ({ id }) => ({
      body: { accountsMax: 50 },
      effects: ["select count(*)::int as count from owner_maxima where owner_id = $1", [id]],
    }),
  },
  "payouts.record": {
    on: "payout",
    make: ({ id }) => ({
      body: { status: "processing", rail: "bank" },
      effects: decisionCount(id.split("_")[1] ?? "", "recordPayout"),
    }),
  },
  "funding.set": "uncounted",
  "funding.withdraw": "uncounted",
  "corporateActions.announce": "uncounted",
  "corporateActions.cancel": "uncounted",
  "programs.add": "uncounted",
  "journal.rebuild": "uncounted",
  "restore.confirm": "uncounted",
  "webhooks.create": {
    on: "account",
    make: ({ name }) => ({
      body: { ...HOOK, label: name },
      effects: ["select count(*)::int as count from webhook_endpoints where label = $1", [name]],
      removal: { path: "/webhooks", field: "id" },
    }),
  },
  "webhooks.update": {
    on: "webhook",
    make: ({ name }) => ({
      body: { label: `${name}-new` },
      effects: [
        "select count(*)::int as count from webhook_endpoints where label = $1",
        [`${name}-new`],
      ],
      removal: { path: "/webhooks", field: "id" },
    }),
  },
  "webhooks.delete": {
    on: "webhook",
    make: ({ id }) => ({
      effects: [
        "select (1 - count(*))::int as count from webhook_endpoints where endpoint_id = $1",
        [id],
      ],
    }),
  },
  "webhooks.test": "uncounted",
  "webhooks.rotate": "uncounted",
  "webhooks.resume": "uncounted",
  "webhooks.replay": "uncounted",
  "webhooks.send": "uncounted",
  "prices.use": "uncounted",
  "prices.auto": "uncounted",
  "prices.halt": "uncounted",
};

/** The writes whose effects are counted, with the item on which each acts. */
export const COUNTED_WRITES = Object.entries(WRITE_KINDS).flatMap(([kind, how]) =>
  how === "uncounted" ? [] : [{ kind: kind as RepeatableWrite, on: how.on }],
);

/** Makes a write of this kind. @throws when the effects of the kind are not counted */
export function createKeyedWrite(kind: RepeatableWrite, wanted: WriteTarget): KeyedWrite {
  const how = WRITE_KINDS[kind];
  if (how === "uncounted") throw new Error(`the effects of ${kind} are not counted`);
  const { method, path } = OPERATOR_CALLS[kind];
  const { body, effects, removal = null } = how.make(wanted);
  return { kind, call: `${method} ${path.replace(":id", wanted.id)}`, body, effects, removal };
}

/** The number of effects that the write has had, from the database. */
export async function countEffects(
  database: ScratchDatabase,
  { effects: [text, parameters] }: KeyedWrite,
): Promise<number> {
  const [row] = await database.query<{ readonly count: number }>(text, parameters);
  return row?.count ?? 0;
}
