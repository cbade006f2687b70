import type { IncomingHttpHeaders } from "node:http";
import { TOO_MANY_KEYS } from "@propgate/access";
import type { AccountId, Quote } from "@propgate/core";
import type { AccountPayout } from "@propgate/ledger";
import { PUSH_PATH, pushForm, type QuoteVerdict } from "@propgate/market";
import { payoutItem } from "@propgate/wire";
import { type Parsed, parseAccountId } from "../calls/json/json-fields.ts";
import {
  parseNewKey,
  parsePayment,
  parseSandboxAccount,
} from "../calls/operator/operator-requests.ts";
import { closedView } from "../calls/operator/operator-views.ts";
import { recordPayment } from "../calls/operator/record-payment.ts";
import {
  parseAction,
  parseClockMove,
  parseFaultChange,
  parseNewSubaccount,
  parseQuotes,
} from "./control-requests.ts";
import type { ControlServices } from "./control-services.ts";
import { linkNewSubaccount } from "./new-subaccount.ts";

/** A call of the control plane, as its handler gets it. */
export interface ControlCall {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The headers and the body as they were sent, for the call that reads them itself. */
  readonly file: { readonly headers: IncomingHttpHeaders; readonly text: string };
}

/** The answer to a call of the control plane, whose body is sent as JSON. */
export interface ControlReply {
  readonly status: number;
  readonly body: unknown;
}

type Handler = (services: ControlServices, call: ControlCall) => Promise<ControlReply>;

/** All calls of the control plane, with their handlers. */
export const CONTROL_CALLS: readonly {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly handle: Handler;
  /** Names of the query parameters. Any other parameter is an error. */
  readonly query?: readonly string[];
  /**
   * Set for a call that reads its body itself. The body may be larger than those of other calls, and it is not parsed
   * as JSON before the call.
   */
  readonly takesFile?: true;
}[] = [
  { method: "POST", path: "/clock", handle: moveClock },
  { method: "POST", path: "/quotes", handle: giveQuotes },
  { method: "POST", path: PUSH_PATH, handle: pushQuotes, takesFile: true },
  { method: "POST", path: "/accounts", handle: openAccount },
  { method: "POST", path: "/subaccounts", handle: openSubaccount },
  { method: "POST", path: "/accounts/:id/actions", handle: actOnAccount },
  { method: "POST", path: "/payouts/:id", handle: recordPayout },
  { method: "POST", path: "/keys", handle: createKey },
  { method: "DELETE", path: "/keys/:keyId", handle: revokeKey },
  { method: "POST", path: "/faults", handle: setFaults },
  { method: "GET", path: "/journal", handle: readJournal, query: ["accountId"] },
  { method: "GET", path: "/state", handle: readState },
];

async function moveClock(services: ControlServices, { body }: ControlCall): Promise<ControlReply> {
  const target = parseClockMove(body, services.clock.now());
  if (!target.ok) return wrongControlReply(target);
  await services.timeMachine.moveTo(target.value);
  return okControlReply({ now: services.clock.now() });
}

async function giveQuotes(services: ControlServices, { body }: ControlCall): Promise<ControlReply> {
  const now = services.clock.now();
  const { instruments, linked } = services;
  const quotes = parseQuotes(body, { instruments, now, validator: linked?.validator ?? null });
  if (!quotes.ok) return wrongControlReply(quotes);
  const { embedded, validator } = quotes.value;
  if (linked !== null) await linked.validator.setPrices(validator);
  const ignored = ignoredQuotes(embedded, await services.publish(embedded));
  const atValidator = linked === null ? {} : { atValidator: validator.length };
  return okControlReply({ now, quotes: embedded.length - ignored.length, ignored, ...atValidator });
}

/** The quotes that the market did not accept, each with the reason. */
function ignoredQuotes(quotes: readonly Quote[], verdicts: readonly QuoteVerdict[]) {
  return quotes.flatMap(({ pair }, index) => {
    const verdict = verdicts[index];
    if (verdict === undefined || verdict === "accepted") return [];
    return [{ pair, reason: verdict === "closed" ? "marketClosed" : verdict }];
  });
}

/**
 * Accepts the same bodies and gives the same answers as the listener for pushed prices. In addition, `ignored` has the
 * quotes that the market rejected.
 */
async function pushQuotes(services: ControlServices, { file }: ControlCall): Promise<ControlReply> {
  const form = pushForm(file.headers);
  if (typeof form === "object") return { status: form.status, body: { error: form.message } };
  const { answer, quotes } = services.push.read(form, file.text);
  const ignored = ignoredQuotes(quotes, await services.publish(quotes));
  return { status: answer.taken > 0 ? 200 : 400, body: { ...answer, ignored } };
}

async function openSubaccount(
  { linked }: ControlServices,
  { body }: ControlCall,
): Promise<ControlReply> {
  if (linked === null)
    return missingControlReply("This sandbox has no validator: start it with --network vanta");
  const subaccount = parseNewSubaccount(body);
  if (!subaccount.ok) return wrongControlReply(subaccount);
  const opened = await linkNewSubaccount(linked, subaccount.value);
  return okControlReply(opened);
}

async function openAccount(
  services: ControlServices,
  { body }: ControlCall,
): Promise<ControlReply> {
  const account = parseSandboxAccount(body);
  if (!account.ok) return wrongControlReply(account);
  const opened = await services.accounts.open(account.value);
  if (typeof opened === "string") return okControlReply({ accountId: opened });
  const { field, refused: text } = opened;
  return refusedControlReply(field === null ? text : `${field}: ${text}`);
}

async function actOnAccount(services: ControlServices, call: ControlCall): Promise<ControlReply> {
  const deed = parseAction(call.body);
  if (!deed.ok) return wrongControlReply(deed);
  const id = await knownAccount(services, call.parameters.id);
  if (id === null) return missingControlReply("Account not found");
  const result = await services.accounts.carryOut(id, deed.value);
  if (result === "missing") return missingControlReply("Account not found");
  if (result === "done") return okControlReply({ accountId: id });
  if ("closed" in result) return okControlReply(closedView(id, result.closed));
  if ("notOffered" in result) return missingControlReply(result.notOffered);
  return refusedControlReply(result.field === null ? `action: ${result.refused}` : result.refused);
}

/**
 * The payout as its owner reads it, with the id of its account and the mark `restored` of a payout that a restore left
 * unpaid.
 */
function payoutView({ accountId, payout, restored }: AccountPayout) {
  return { ...payoutItem(payout), accountId, restored };
}

async function recordPayout(
  { payouts }: ControlServices,
  { parameters, body }: ControlCall,
): Promise<ControlReply> {
  const payment = parsePayment(body);
  if (!payment.ok) return wrongControlReply(payment);
  const recorded = await recordPayment(payouts, { id: parameters.id ?? "" }, payment.value);
  if (recorded === "missing") return missingControlReply("Payout not found");
  return "refused" in recorded
    ? refusedControlReply(recorded.refused)
    : okControlReply(payoutView(recorded));
}

async function createKey(services: ControlServices, { body }: ControlCall): Promise<ControlReply> {
  const request = parseNewKey(body, services.clock.now());
  if (!request.ok) return wrongControlReply(request);
  if ((await services.accounts.networkOf(request.value.accountId)) === null) {
    return missingControlReply("Account not found");
  }
  const made = await services.keys.create(request.value);
  if (made === null) return refusedControlReply(TOO_MANY_KEYS);
  return okControlReply({ keyId: made.key.keyId, secret: made.secret });
}

async function revokeKey(
  services: ControlServices,
  { parameters }: ControlCall,
): Promise<ControlReply> {
  const keyId = parameters.keyId ?? "";
  return (await services.keys.revoke(keyId))
    ? okControlReply({ keyId })
    : missingControlReply("Key not found");
}

async function setFaults(services: ControlServices, { body }: ControlCall): Promise<ControlReply> {
  const change = parseFaultChange(body);
  if (!change.ok) return wrongControlReply(change);
  services.faults.set(change.value);
  return okControlReply({ faults: services.faults.read() });
}

async function readJournal(
  services: ControlServices,
  { query }: ControlCall,
): Promise<ControlReply> {
  const { accountId } = query;
  if (typeof accountId !== "string")
    return refusedControlReply("accountId: one is needed in the query");
  const id = await knownAccount(services, accountId);
  if (id === null) return missingControlReply("Account not found");
  return okControlReply({ accountId: id, events: await services.journal(id) });
}

async function readState(services: ControlServices): Promise<ControlReply> {
  return okControlReply({
    now: services.clock.now(),
    clock: services.clock.mode,
    quotes: [...services.quotes.values()].map(({ pair, bid, ask, atMs }) => ({
      pair,
      bid,
      ask,
      atMs,
    })),
    faults: services.faults.read(),
  });
}

async function knownAccount(
  services: ControlServices,
  text: string | undefined,
): Promise<AccountId | null> {
  const id = parseAccountId(text);
  return id !== null && (await services.accounts.networkOf(id)) !== null ? id : null;
}

function okControlReply(body: unknown): ControlReply {
  return { status: 200, body };
}

function wrongControlReply(parsed: Extract<Parsed<unknown>, { readonly ok: false }>): ControlReply {
  return refusedControlReply(parsed.problem);
}

function refusedControlReply(error: string): ControlReply {
  return { status: 400, body: { error } };
}

function missingControlReply(error: string): ControlReply {
  return { status: 404, body: { error } };
}
