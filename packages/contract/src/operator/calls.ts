import type { OPERATOR_QUERIES } from "./queries.ts";

/** Content type of a journal file, which has one JSON value per line. */
export const JOURNAL_FILE_TYPE = "application/x-ndjson";

/** The path at which the operator's interface begins, on its own listener or on the listener of the public API. */
export const OPERATOR_PREFIX = "/operator/v1";

/**
 * One call of the operator's interface. Programs call it below `OPERATOR_PREFIX` with the root token or a
 * named token; operators who are signed in call it below `/dashboard/v1/operator`.
 */
export interface OperatorCall {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: `/${string}`;
  /**
   * Whether a named token may make the call. With `ownersOnly` it may, but only for persons who are owners, so that a
   * named token can never create access for an operator.
   */
  readonly namedToken: "allowed" | "ownersOnly" | "refused";
  /**
   * Whether signed-in operators need a password or passkey check within the last five minutes. With `whenTrue` they
   * need it only when this field of the body, or of a row of a bulk, is true.
   */
  readonly needsConfirmation: boolean | { readonly whenTrue: string };
  /** Whether, and for how long, an answer is kept for a repetition of the call with the same `Idempotency-Key`. */
  readonly repeats: RepeatedAnswer;
}

/** The request header with which a client may repeat a write until it gets the answer. @rule D12.repeatedWrites */
export const IDEMPOTENCY_HEADER = "Idempotency-Key";

/** The response header, with the value `true`, of an answer that was kept from an earlier request. */
export const REPLAYED_HEADER = "Idempotent-Replayed";

/**
 * How an answer is kept for a repetition of the call. `nothing`: it is not kept, as for reads, files and checks.
 * `rows`: each row of a bulk is a write with an answer of its own.
 */
export type RepeatedAnswer = KeptAnswer | "nothing" | { readonly rows: KeptAnswer };

/**
 * `kept`: the answer is kept for 30 days. `sealed`: the answer has a secret and is kept for 24 hours; afterwards a
 * repetition gets only the field that `sealed` names, or the id in the path.
 */
type KeptAnswer = "kept" | { readonly sealed: string };

const READ = {
  method: "GET",
  namedToken: "allowed",
  needsConfirmation: false,
  repeats: "nothing",
} as const;
const CHECK = { ...READ, method: "POST" } as const;
const WRITE_CALL = { ...CHECK, repeats: "kept" } as const;
const CONFIRMED = { ...WRITE_CALL, needsConfirmation: true } as const;
/**
 * A call that opens accounts. It needs a confirmation when `override` lets the owner have more accounts than the
 * maximum.
 */
const OPENING = { ...WRITE_CALL, needsConfirmation: { whenTrue: "override" } } as const;

/** Every call of the operator's interface, by the name that the audit and the log show. */
export const OPERATOR_CALLS = {
  "accounts.open": { ...OPENING, path: "/accounts" },
  "accounts.bulk": {
    ...OPENING,
    path: "/accounts/bulk",
    repeats: { rows: "kept" },
  },
  "accounts.link": { ...WRITE_CALL, path: "/accounts/link" },
  "accounts.list": { ...READ, path: "/accounts" },
  "accounts.get": { ...READ, path: "/accounts/:id" },
  "accounts.update": { ...WRITE_CALL, method: "PATCH", path: "/accounts/:id" },
  "accounts.provision": { ...WRITE_CALL, path: "/accounts/:id/provision" },
  "accounts.close": { ...CONFIRMED, path: "/accounts/:id/close" },
  "accounts.eliminate": { ...CONFIRMED, path: "/accounts/:id/eliminate" },
  "accounts.promote": { ...CONFIRMED, path: "/accounts/:id/promote" },
  "accounts.offerPro": { ...CONFIRMED, path: "/accounts/:id/offer-pro" },
  "accounts.positions": { ...READ, path: "/accounts/:id/positions" },
  "accounts.orders": { ...READ, path: "/accounts/:id/orders" },
  "accounts.orderHistory": { ...READ, path: "/accounts/:id/order-history" },
  "accounts.order": {
    ...READ,
    path: "/accounts/:id/orders/:orderUuid",
  },
  "accounts.trades": {
    ...READ,
    path: "/accounts/:id/trades",
  },
  "accounts.fills": { ...READ, path: "/accounts/:id/fills" },
  "accounts.payouts": {
    ...READ,
    path: "/accounts/:id/payouts",
  },
  "accounts.events": {
    ...READ,
    path: "/accounts/:id/events",
  },
  "accounts.equity": { ...READ, path: "/accounts/:id/equity" },
  "accounts.evidence": { ...READ, path: "/accounts/:id/evidence" },
  exposure: { ...READ, path: "/exposure" },
  stress: { ...READ, path: "/stress" },
  "keys.create": { ...CONFIRMED, path: "/keys", repeats: { sealed: "keyId" } },
  "keys.bulk": {
    ...CONFIRMED,
    path: "/keys/bulk",
    repeats: { rows: { sealed: "keyId" } },
  },
  "keys.rekey": { ...CONFIRMED, path: "/keys/rekey" },
  "keys.list": { ...READ, path: "/keys" },
  "keys.revoke": { ...WRITE_CALL, method: "DELETE", path: "/keys/:id" },
  "people.list": { ...READ, path: "/people" },
  "people.add": { ...CONFIRMED, path: "/people", namedToken: "ownersOnly" },
  "people.update": { ...WRITE_CALL, method: "PATCH", path: "/people/:id" },
  "people.link": {
    ...CONFIRMED,
    path: "/people/:id/link",
    namedToken: "ownersOnly",
    repeats: { sealed: "personId" },
  },
  "people.keys": { ...READ, path: "/people/:id/keys" },
  "people.disable": {
    ...WRITE_CALL,
    path: "/people/:id/disable",
    needsConfirmation: { whenTrue: "pauseKeys" },
  },
  "people.enable": { ...CONFIRMED, path: "/people/:id/enable", namedToken: "ownersOnly" },
  "tokens.list": { ...READ, path: "/tokens" },
  "tokens.add": {
    ...CONFIRMED,
    path: "/tokens",
    namedToken: "refused",
    repeats: { sealed: "name" },
  },
  "tokens.revoke": { ...WRITE_CALL, method: "DELETE", path: "/tokens/:id", namedToken: "refused" },
  "owners.update": { ...CONFIRMED, method: "PATCH", path: "/owners/:id" },
  "unansweredOrders.list": { ...READ, path: "/unanswered-orders" },
  "payouts.list": { ...READ, path: "/payouts" },
  "payouts.bulk": {
    ...CONFIRMED,
    path: "/payouts/bulk",
    repeats: { rows: "kept" },
  },
  "payouts.get": { ...READ, path: "/payouts/:id" },
  "payouts.record": { ...CONFIRMED, path: "/payouts/:id" },
  "funding.list": { ...READ, path: "/funding" },
  "funding.set": { ...CONFIRMED, path: "/funding" },
  "funding.withdraw": { ...CONFIRMED, method: "DELETE", path: "/funding/:id" },
  "corporateActions.list": { ...READ, path: "/corporate-actions" },
  "corporateActions.announce": { ...CONFIRMED, path: "/corporate-actions" },
  "corporateActions.cancel": { ...CONFIRMED, method: "DELETE", path: "/corporate-actions/:id" },
  "programs.list": { ...READ, path: "/programs" },
  "programs.get": { ...READ, path: "/programs/:id" },
  "programs.add": { ...CONFIRMED, path: "/programs" },
  "programs.validate": { ...CHECK, path: "/programs/validate" },
  "catalogue.validate": { ...CHECK, path: "/catalogue/validate" },
  "journal.verify": { ...CHECK, path: "/journal/verify" },
  "journal.rebuild": {
    ...WRITE_CALL,
    path: "/journal/rebuild",
    needsConfirmation: { whenTrue: "write" },
  },
  "journal.export": { ...READ, path: "/accounts/:id/journal-export" },
  "events.list": {
    ...READ,
    path: "/events",
  },
  "alerts.list": { ...READ, path: "/alerts" },
  backup: { ...CONFIRMED, path: "/backup", repeats: "nothing" },
  "restore.confirm": { ...CONFIRMED, path: "/restore/confirm" },
  "webhooks.list": { ...READ, path: "/webhooks" },
  "webhooks.create": { ...CONFIRMED, path: "/webhooks", repeats: { sealed: "id" } },
  "webhooks.get": { ...READ, path: "/webhooks/:id" },
  "webhooks.update": { ...CONFIRMED, method: "PATCH", path: "/webhooks/:id" },
  "webhooks.delete": { ...CONFIRMED, method: "DELETE", path: "/webhooks/:id" },
  "webhooks.test": { ...WRITE_CALL, path: "/webhooks/:id/test" },
  "webhooks.rotate": { ...CONFIRMED, path: "/webhooks/:id/rotate", repeats: { sealed: "id" } },
  "webhooks.resume": { ...WRITE_CALL, path: "/webhooks/:id/resume" },
  "webhooks.replay": { ...WRITE_CALL, path: "/webhooks/:id/replay" },
  "webhooks.lanes": { ...READ, path: "/webhooks/:id/lanes" },
  "webhooks.deliveries": { ...READ, path: "/webhooks/:id/deliveries" },
  "webhooks.send": { ...WRITE_CALL, path: "/webhooks/:id/deliveries" },
  health: { ...READ, path: "/health" },
  "instruments.list": { ...READ, path: "/instruments" },
  "prices.list": { ...READ, path: "/prices" },
  "prices.get": { ...READ, path: "/prices/:id" },
  "prices.effect": { ...READ, path: "/prices/:id/use" },
  "prices.use": { ...CONFIRMED, path: "/prices/:id/use" },
  "prices.auto": { ...CONFIRMED, path: "/prices/:id/auto" },
  "prices.halt": { ...CONFIRMED, path: "/prices/:id/halt" },
  search: { ...READ, path: "/search" },
  "audit.list": { ...READ, path: "/audit" },
  "audit.verify": { ...CHECK, path: "/audit/verify" },
} as const satisfies Readonly<Record<string, OperatorCall>>;

export type OperatorCallName = keyof typeof OPERATOR_CALLS;

/** Whether a word is the name of a call. */
export function isOperatorCall(name: string): name is OperatorCallName {
  return Object.hasOwn(OPERATOR_CALLS, name);
}

type Queries = typeof OPERATOR_QUERIES;

/** Query parameters of a call. A parameter that is empty or left out is not sent. */
export type OperatorQuery<Name extends OperatorCallName> = Readonly<
  Partial<Record<Name extends keyof Queries ? Queries[Name][number] : never, string>>
>;

/** The ids in a call's path, where the path has them, and the call's query. */
export interface OperatorTarget<Name extends OperatorCallName> {
  readonly id?: string;
  readonly orderUuid?: string;
  readonly query?: OperatorQuery<Name>;
}

/** The call's path below the prefix of the interface, with its ids and its query filled in. */
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
