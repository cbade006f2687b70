import { ACCOUNT_FILTERS } from "./exposure.ts";
import { type ListCall, OPERATOR_LISTS } from "./lists/operator-lists.ts";

/** Content type of a journal's file: one JSON text a line. */
export const JOURNAL_FILE_TYPE = "application/x-ndjson";

/** Where the operator's interface begins, on its own listener or on that of the public API. */
export const OPERATOR_PREFIX = "/operator/v1";

/**
 * One call of the operator's interface. Programs call it below `OPERATOR_PREFIX` with the root token or a
 * named token; operators who are signed in call it below `/dashboard/v1/operator`.
 */
export interface OperatorCall {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: `/${string}`;
  /** Names of the query parameters. */
  readonly query: readonly string[];
  /**
   * Whether a named token may make the call. `ownersOnly`: not for a person who is an operator, so
   * that a named token can never create another way in for an operator.
   */
  readonly namedToken: "allowed" | "ownersOnly" | "refused";
  /**
   * Signed-in operators need a password or passkey check within the last five minutes: always, or only when this field
   * of the body is true.
   */
  readonly needsConfirmation: boolean | { readonly whenTrue: string };
  /** The part of the answer that is kept for a repetition with the same `Idempotency-Key`. */
  readonly repeats: RepeatedAnswer;
}

/** The header by which a client repeats a write until it knows the answer. @rule D12.repeatedWrites */
export const IDEMPOTENCY_HEADER = "Idempotency-Key";

/** The header of an answer that was kept: `true`. */
export const REPLAYED_HEADER = "Idempotent-Replayed";

/**
 * `kept`: the answer, for 30 days. `sealed`: it has a secret, which is kept for 24 hours; then only that field of it is
 * known, or the id in the path. `nothing`: of reads, files and checks.
 */
export type RepeatedAnswer = KeptAnswer | "nothing" | { readonly rows: KeptAnswer };

/** `rows`: each row of a bulk is a write of its own. */
type KeptAnswer = "kept" | { readonly sealed: string };

const READ = {
  method: "GET",
  query: [],
  namedToken: "allowed",
  needsConfirmation: false,
  repeats: "nothing",
} as const;
const CHECK = { ...READ, method: "POST" } as const;
const ACT = { ...CHECK, repeats: "kept" } as const;
const CONFIRMED = { ...ACT, needsConfirmation: true } as const;

/** A call that answers a list, whose description has the parameters. */
function listCall<Name extends ListCall>(name: Name, path: `/${string}`) {
  return { ...READ, path, query: OPERATOR_LISTS[name].parameters } as const;
}

/** The parameters of the signed API's reads of orders and fills, and the form of the answer. */
const HISTORY = ["after", "limit", "tradePair", "since", "format"] as const;

/** Every call by the name that the audit and the log show. */
export const OPERATOR_CALLS = {
  "accounts.open": { ...ACT, path: "/accounts" },
  "accounts.bulk": {
    ...ACT,
    path: "/accounts/bulk",
    query: ["dryRun"],
    repeats: { rows: "kept" },
  },
  "accounts.link": { ...ACT, path: "/accounts/link" },
  "accounts.list": listCall("accounts.list", "/accounts"),
  "accounts.update": { ...ACT, method: "PATCH", path: "/accounts/:id" },
  "accounts.provision": { ...ACT, path: "/accounts/:id/provision" },
  "accounts.close": { ...CONFIRMED, path: "/accounts/:id/close" },
  "accounts.eliminate": { ...CONFIRMED, path: "/accounts/:id/eliminate" },
  "accounts.promote": { ...CONFIRMED, path: "/accounts/:id/promote" },
  "accounts.offerPro": { ...CONFIRMED, path: "/accounts/:id/offer-pro" },
  "accounts.positions": { ...READ, path: "/accounts/:id/positions", query: ["format"] },
  "accounts.orders": { ...READ, path: "/accounts/:id/orders", query: ["format"] },
  "accounts.orderHistory": { ...READ, path: "/accounts/:id/order-history", query: HISTORY },
  "accounts.order": {
    ...READ,
    path: "/accounts/:id/orders/:orderUuid",
    query: ["after", "format"],
  },
  "accounts.trades": {
    ...READ,
    path: "/accounts/:id/trades",
    query: ["after", "limit", "format"],
  },
  "accounts.fills": { ...READ, path: "/accounts/:id/fills", query: HISTORY },
  "accounts.payouts": {
    ...READ,
    path: "/accounts/:id/payouts",
    query: ["limit", "cursor", "format"],
  },
  "accounts.events": {
    ...READ,
    path: "/accounts/:id/events",
    query: ["after", "limit", "types", "wait", "proof", "format"],
  },
  "accounts.equity": listCall("accounts.equity", "/accounts/:id/equity"),
  "accounts.evidence": { ...READ, path: "/accounts/:id/evidence", query: ["format"] },
  exposure: { ...READ, path: "/exposure", query: ["by", "format", ...ACCOUNT_FILTERS] },
  stress: { ...READ, path: "/stress", query: ["by", "movePct", "format", ...ACCOUNT_FILTERS] },
  "keys.create": { ...CONFIRMED, path: "/keys", repeats: { sealed: "keyId" } },
  "keys.bulk": {
    ...CONFIRMED,
    path: "/keys/bulk",
    query: ["dryRun"],
    repeats: { rows: { sealed: "keyId" } },
  },
  "keys.rekey": { ...CONFIRMED, path: "/keys/rekey" },
  "keys.list": listCall("keys.list", "/keys"),
  "keys.revoke": { ...ACT, method: "DELETE", path: "/keys/:id" },
  "people.list": listCall("people.list", "/people"),
  "people.add": { ...CONFIRMED, path: "/people", namedToken: "ownersOnly" },
  "people.update": { ...ACT, method: "PATCH", path: "/people/:id" },
  "people.link": {
    ...CONFIRMED,
    path: "/people/:id/link",
    namedToken: "ownersOnly",
    repeats: { sealed: "personId" },
  },
  "people.keys": { ...READ, path: "/people/:id/keys" },
  "people.disable": {
    ...ACT,
    path: "/people/:id/disable",
    needsConfirmation: { whenTrue: "pauseKeys" },
  },
  "people.enable": { ...CONFIRMED, path: "/people/:id/enable", namedToken: "ownersOnly" },
  "tokens.list": listCall("tokens.list", "/tokens"),
  "tokens.add": {
    ...CONFIRMED,
    path: "/tokens",
    namedToken: "refused",
    repeats: { sealed: "name" },
  },
  "tokens.revoke": { ...ACT, method: "DELETE", path: "/tokens/:id", namedToken: "refused" },
  "owners.update": { ...ACT, method: "PATCH", path: "/owners/:id" },
  "payouts.list": listCall("payouts.list", "/payouts"),
  "payouts.bulk": {
    ...CONFIRMED,
    path: "/payouts/bulk",
    query: ["dryRun"],
    repeats: { rows: "kept" },
  },
  "payouts.get": { ...READ, path: "/payouts/:id" },
  "payouts.record": { ...CONFIRMED, path: "/payouts/:id" },
  "funding.list": listCall("funding.list", "/funding"),
  "funding.set": { ...CONFIRMED, path: "/funding" },
  "funding.withdraw": { ...CONFIRMED, method: "DELETE", path: "/funding/:id", query: ["atMs"] },
  "corporateActions.list": listCall("corporateActions.list", "/corporate-actions"),
  "corporateActions.announce": { ...CONFIRMED, path: "/corporate-actions" },
  "corporateActions.cancel": { ...CONFIRMED, method: "DELETE", path: "/corporate-actions/:id" },
  "programs.list": listCall("programs.list", "/programs"),
  "programs.get": { ...READ, path: "/programs/:id" },
  "programs.add": { ...CONFIRMED, path: "/programs" },
  "programs.validate": { ...CHECK, path: "/programs/validate" },
  "catalogue.validate": { ...CHECK, path: "/catalogue/validate" },
  "journal.verify": { ...CHECK, path: "/journal/verify" },
  "journal.rebuild": {
    ...ACT,
    path: "/journal/rebuild",
    needsConfirmation: { whenTrue: "write" },
  },
  "journal.export": { ...READ, path: "/accounts/:id/journal-export" },
  "events.list": {
    ...READ,
    path: "/events",
    query: ["after", "limit", "types", "accountId", "programId", "wait", "format"],
  },
  backup: { ...CONFIRMED, path: "/backup", repeats: "nothing" },
  "restore.confirm": { ...CONFIRMED, path: "/restore/confirm" },
  "webhooks.list": listCall("webhooks.list", "/webhooks"),
  "webhooks.create": { ...CONFIRMED, path: "/webhooks", repeats: { sealed: "id" } },
  "webhooks.get": { ...READ, path: "/webhooks/:id" },
  "webhooks.update": { ...CONFIRMED, method: "PATCH", path: "/webhooks/:id" },
  "webhooks.delete": { ...CONFIRMED, method: "DELETE", path: "/webhooks/:id" },
  "webhooks.test": { ...ACT, path: "/webhooks/:id/test" },
  "webhooks.rotate": { ...CONFIRMED, path: "/webhooks/:id/rotate", repeats: { sealed: "id" } },
  "webhooks.resume": { ...ACT, path: "/webhooks/:id/resume" },
  "webhooks.replay": { ...ACT, path: "/webhooks/:id/replay" },
  "webhooks.lanes": listCall("webhooks.lanes", "/webhooks/:id/lanes"),
  "webhooks.deliveries": listCall("webhooks.deliveries", "/webhooks/:id/deliveries"),
  "webhooks.send": { ...ACT, path: "/webhooks/:id/deliveries" },
  health: { ...READ, path: "/health" },
  "instruments.list": listCall("instruments.list", "/instruments"),
  "prices.list": listCall("prices.list", "/prices"),
  "prices.get": { ...READ, path: "/prices/:id" },
  "prices.effect": { ...READ, path: "/prices/:id/use", query: ["source"] },
  "prices.use": { ...CONFIRMED, path: "/prices/:id/use" },
  "prices.auto": { ...CONFIRMED, path: "/prices/:id/auto" },
  "prices.halt": { ...CONFIRMED, path: "/prices/:id/halt" },
  search: { ...READ, path: "/search", query: ["q"] },
  "audit.list": listCall("audit.list", "/audit"),
  "audit.verify": { ...CHECK, path: "/audit/verify" },
} as const satisfies Readonly<Record<string, OperatorCall>>;

export type OperatorCallName = keyof typeof OPERATOR_CALLS;

/** Whether a word is the name of a call. */
export function isOperatorCall(name: string): name is OperatorCallName {
  return Object.hasOwn(OPERATOR_CALLS, name);
}

/** Query parameters of a call; those that are empty or left out are not sent. */
export type OperatorQuery<Name extends OperatorCallName> = Readonly<
  Partial<Record<(typeof OPERATOR_CALLS)[Name]["query"][number], string>>
>;

/** The ids in a call's path, where it has them, and its query. */
export interface OperatorTarget<Name extends OperatorCallName> {
  readonly id?: string;
  readonly orderUuid?: string;
  readonly query?: OperatorQuery<Name>;
}

/** The call's path below the interface, with the ids and the query filled in. */
export function operatorPath<Name extends OperatorCallName>(
  name: Name,
  target: OperatorTarget<Name> = {},
): string {
  const ids: Readonly<Record<string, string | undefined>> = {
    id: target.id,
    orderUuid: target.orderUuid,
  };
  const path = OPERATOR_CALLS[name].path.replace(/:(\w+)/g, (_, id: string) =>
    encodeURIComponent(ids[id] ?? ""),
  );
  const given = Object.entries<string | undefined>(target.query ?? {}).flatMap(
    ([field, value = ""]) => (value === "" ? [] : [`${field}=${encodeURIComponent(value)}`]),
  );
  return given.length === 0 ? path : `${path}?${given.join("&")}`;
}
