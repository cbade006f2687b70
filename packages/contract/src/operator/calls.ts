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
}

const READ = {
  method: "GET",
  query: [],
  namedToken: "allowed",
  needsConfirmation: false,
} as const;
const ACT = { ...READ, method: "POST" } as const;
const CONFIRMED = { ...ACT, needsConfirmation: true } as const;

/** Every call by the name that the audit and the log show. */
export const OPERATOR_CALLS = {
  "account.open": { ...ACT, path: "/accounts" },
  "account.link": { ...ACT, path: "/accounts/link" },
  "account.list": { ...READ, path: "/accounts", query: ["owner", "q", "after", "limit"] },
  "account.provision": { ...ACT, path: "/accounts/:id/provision" },
  "account.close": { ...CONFIRMED, path: "/accounts/:id/close" },
  "account.eliminate": { ...CONFIRMED, path: "/accounts/:id/eliminate" },
  "account.promote": { ...CONFIRMED, path: "/accounts/:id/promote" },
  "account.offerPro": { ...CONFIRMED, path: "/accounts/:id/offer-pro" },
  "key.create": { ...CONFIRMED, path: "/keys" },
  "key.rekey": { ...CONFIRMED, path: "/keys/rekey" },
  "key.list": { ...READ, path: "/keys", query: ["accountId"] },
  "key.revoke": { ...ACT, method: "DELETE", path: "/keys/:id" },
  "person.list": { ...READ, path: "/people" },
  "person.add": { ...CONFIRMED, path: "/people", namedToken: "ownersOnly" },
  "person.link": { ...CONFIRMED, path: "/people/:id/link", namedToken: "ownersOnly" },
  "person.keys": { ...READ, path: "/people/:id/keys" },
  "person.disable": {
    ...ACT,
    path: "/people/:id/disable",
    needsConfirmation: { whenTrue: "pauseKeys" },
  },
  "person.enable": { ...CONFIRMED, path: "/people/:id/enable", namedToken: "ownersOnly" },
  "token.list": { ...READ, path: "/tokens" },
  "token.add": { ...CONFIRMED, path: "/tokens", namedToken: "refused" },
  "token.revoke": { ...ACT, method: "DELETE", path: "/tokens/:id", namedToken: "refused" },
  "payout.list": { ...READ, path: "/payouts", query: ["status", "after", "limit"] },
  "payout.show": { ...READ, path: "/payouts/:id" },
  "payout.record": { ...CONFIRMED, path: "/payouts/:id" },
  "funding.list": { ...READ, path: "/funding" },
  "funding.set": { ...CONFIRMED, path: "/funding" },
  "funding.withdraw": { ...CONFIRMED, method: "DELETE", path: "/funding/:id", query: ["atMs"] },
  "action.list": { ...READ, path: "/corporate-actions" },
  "action.announce": { ...CONFIRMED, path: "/corporate-actions" },
  "action.cancel": { ...CONFIRMED, method: "DELETE", path: "/corporate-actions/:id" },
  "program.list": { ...READ, path: "/programs" },
  "program.show": { ...READ, path: "/programs/:id" },
  "program.add": { ...CONFIRMED, path: "/programs" },
  "program.check": { ...ACT, path: "/programs/validate" },
  "catalogue.check": { ...ACT, path: "/catalogue/validate" },
  "journal.verify": { ...ACT, path: "/journal/verify" },
  "journal.rebuild": {
    ...ACT,
    path: "/journal/rebuild",
    needsConfirmation: { whenTrue: "write" },
  },
  "journal.export": { ...READ, path: "/accounts/:id/journal-export" },
  "event.list": {
    ...READ,
    path: "/events",
    query: ["after", "limit", "types", "accountId", "programId", "wait", "format"],
  },
  backup: { ...CONFIRMED, path: "/backup" },
  "restore.confirm": { ...CONFIRMED, path: "/restore/confirm" },
  "webhook.list": { ...READ, path: "/webhooks" },
  "webhook.make": { ...CONFIRMED, path: "/webhooks" },
  "webhook.show": { ...READ, path: "/webhooks/:id" },
  "webhook.change": { ...CONFIRMED, method: "PATCH", path: "/webhooks/:id" },
  "webhook.delete": { ...CONFIRMED, method: "DELETE", path: "/webhooks/:id" },
  "webhook.test": { ...ACT, path: "/webhooks/:id/test" },
  "webhook.rotate": { ...CONFIRMED, path: "/webhooks/:id/rotate" },
  "webhook.resume": { ...ACT, path: "/webhooks/:id/resume" },
  "webhook.replay": { ...ACT, path: "/webhooks/:id/replay" },
  "webhook.lanes": { ...READ, path: "/webhooks/:id/lanes", query: ["after", "limit"] },
  "webhook.deliveries": {
    ...READ,
    path: "/webhooks/:id/deliveries",
    query: ["after", "limit"],
  },
  "webhook.send": { ...ACT, path: "/webhooks/:id/deliveries" },
  health: { ...READ, path: "/health" },
  "instrument.list": { ...READ, path: "/instruments" },
  "price.list": { ...READ, path: "/prices" },
  "price.effect": { ...READ, path: "/prices/:id/use", query: ["source"] },
  "price.use": { ...CONFIRMED, path: "/prices/:id/use" },
  "price.auto": { ...CONFIRMED, path: "/prices/:id/auto" },
  "price.halt": { ...CONFIRMED, path: "/prices/:id/halt" },
  search: { ...READ, path: "/search", query: ["q"] },
  "audit.list": {
    ...READ,
    path: "/audit",
    query: ["account", "person", "deed", "before", "limit"],
  },
  "audit.verify": { ...ACT, path: "/audit/verify" },
} as const satisfies Readonly<Record<string, OperatorCall>>;

export type OperatorCallName = keyof typeof OPERATOR_CALLS;

/** Query parameters of a call; those that are empty or left out are not sent. */
export type OperatorQuery<Name extends OperatorCallName> = Readonly<
  Partial<Record<(typeof OPERATOR_CALLS)[Name]["query"][number], string>>
>;

/** The id in a call's path, where it has one, and its query. */
export interface OperatorTarget<Name extends OperatorCallName> {
  readonly id?: string;
  readonly query?: OperatorQuery<Name>;
}

/** The call's path below the interface, with `id` and the query filled in. */
export function operatorPath<Name extends OperatorCallName>(
  name: Name,
  target: OperatorTarget<Name> = {},
): string {
  const path = OPERATOR_CALLS[name].path.replace(":id", () => encodeURIComponent(target.id ?? ""));
  const given = Object.entries<string | undefined>(target.query ?? {}).flatMap(
    ([field, value = ""]) => (value === "" ? [] : [`${field}=${encodeURIComponent(value)}`]),
  );
  return given.length === 0 ? path : `${path}?${given.join("&")}`;
}
