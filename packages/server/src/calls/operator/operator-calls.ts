import { TOO_MANY_KEYS } from "@propgate/access";
import {
  BULK_BYTES_MAX,
  type ClosedAccount,
  OPERATOR_BODIES,
  OPERATOR_CALLS,
  type OperatorCall,
  type OperatorCallName,
  queryParametersOf,
} from "@propgate/contract";
import { type AccountId, dollars } from "@propgate/core";
import { type ClosedRewards, WHOLE_JOURNAL } from "@propgate/ledger";
import { ALERT_ROWS } from "../../storage/lists/alerts-list.ts";
import { keyRows } from "../../storage/lists/keys-list.ts";
import { UNANSWERED_ORDER_ROWS } from "../../storage/lists/unanswered-orders-list.ts";
import { journalFileReply } from "../json/journal-file.ts";
import { type Parsed, parseAccountId, problemReply } from "../json/json-fields.ts";
import {
  type AuditDetails,
  type JsonCall,
  type JsonReply,
  notOfferedReply,
  okReply,
  type RefusedReply,
  refusedReply,
  wrongFieldReply,
} from "../json/json-reply.ts";
import { listAccounts, readAccountItem } from "./accounts/account-calls.ts";
import { showAccount } from "./accounts/account-detail.ts";
import { createAccountReadHandler, listAccountEquity } from "./accounts/account-read-calls.ts";
import { showEvidence } from "./accounts/evidence-call.ts";
import { showExposure, showStress } from "./accounts/exposure-calls.ts";
import { announceAction, cancelAction, listActions } from "./action-calls.ts";
import { backUp } from "./backup-call.ts";
import { createBulkHandler } from "./bulk/bulk-call.ts";
import { type BulkColumns, bulkColumnsOf } from "./bulk/bulk-rows.ts";
import { listEvents } from "./event-calls.ts";
import { listFunding, setFunding, withdrawFunding } from "./funding-calls.ts";
import { listInstruments } from "./instrument-calls.ts";
import { linkAccount } from "./linked/link-call.ts";
import { answerList } from "./lists/list-call.ts";
import { isNewOwner } from "./new-owner.ts";
import {
  NO_ACCOUNT,
  namedBeforeReply,
  type OperatorCaller,
  type OperatorCallOptions,
  type OperatorHandler,
  takenIdReply,
} from "./operator-reply.ts";
import {
  parseClosing,
  parseElimination,
  parseEmptyBody,
  parseExternalId,
  parseNewAccount,
  parseNewKey,
  parseOwnerId,
  parseOwnerMaximum,
  parsePromotion,
  parseProOffer,
  parseRebuild,
  parseVerify,
} from "./operator-requests.ts";
import type { AccountDeed, OpeningRefused, OperatorServices } from "./operator-services.ts";
import { closedView, journalProofView, keyView } from "./operator-views.ts";
import { checkPayout, listPayouts, recordPayout, showPayout } from "./payout-calls.ts";
import {
  addPerson,
  disablePerson,
  enablePerson,
  linkPerson,
  listPeople,
  namePerson,
  showPersonKeys,
} from "./people-calls.ts";
import {
  chooseAuto,
  haltPair,
  listPrices,
  showEffect,
  showPrice,
  useSource,
} from "./price-calls.ts";
import {
  addProgram,
  checkProgram,
  listPrograms,
  showProgram,
  validateCatalogue,
} from "./program-calls.ts";
import { confirmRestore } from "./restore-call.ts";
import { listAudit, search, verifyAudit } from "./search-calls.ts";
import { addToken, listTokens, revokeToken } from "./tokens/token-calls.ts";
import { WEBHOOK_HANDLERS } from "./webhook-calls.ts";

/** A call of the operator's interface with its handler. */
export interface OperatorRoute extends OperatorCall {
  /** The call's name in the audit and the log. */
  readonly name: string;
  /** Names of the query parameters. */
  readonly query: readonly string[];
  readonly handle: (
    options: OperatorCallOptions,
    call: JsonCall,
    by: OperatorCaller,
  ) => Promise<JsonReply>;
  /** The maximum size of the body, for a call whose body may be larger than usual. */
  readonly bodyBytesMax?: number;
  /** True when the body is a file of rows. */
  readonly takesFile?: boolean;
  /** The columns of the file, for a call whose body is a file of rows. */
  readonly columns?: BulkColumns;
}

/** An untrusted id is truncated to this many characters in the audit. */
const SUBJECT_MAX = 100;

/** The maximum size of a catalogue in a body: enough for a catalogue of every listed share. */
const CATALOGUE_BYTES_MAX = 4 * 1024 * 1024;

const openAccount: OperatorHandler<"accounts.open"> = async ({ services }, { body, act }) => {
  const account = parseNewAccount(body);
  if (!account.ok) return problemReply(account);
  const newOwner = await isNewOwner(services, account.value.ownerId);
  const opened = await services.accounts.open(account.value, act);
  if (typeof opened !== "string") return openingRefusalReply(opened);
  const detail = account.value.obeysMax ? {} : { detail: "override" };
  const item = await readAccountItem(services, opened);
  return okReply({ ...item, newOwner }, { subject: opened, accountId: opened, ...detail });
};

async function checkAccount(
  { services }: OperatorCallOptions,
  { body }: JsonCall,
  earlier: number,
): Promise<RefusedReply | null> {
  const account = parseNewAccount(body);
  if (!account.ok) return problemReply(account);
  const refusal = await services.accounts.check(account.value, earlier);
  return refusal === null ? null : openingRefusalReply(refusal);
}

function openingRefusalReply({ refused: text, field, holder, full }: OpeningRefused): RefusedReply {
  if (full !== undefined) {
    return { ...wrongFieldReply("ownerId", text, 409), code: "account_limit", details: full };
  }
  if (holder !== undefined) return takenIdReply(text, { accountId: holder });
  const name = field === "program" ? "programId" : field;
  return name === null ? refusedReply(text) : wrongFieldReply(name, text);
}

const updateOwner: OperatorHandler<"owners.update"> = async (
  { services },
  { parameters, body },
) => {
  const accountsMax = parseOwnerMaximum(body);
  if (!accountsMax.ok) return problemReply(accountsMax);
  const owner = parseOwnerId(parameters.id);
  if (owner === null) return refusedReply("Owner not found", 404);
  await services.limits.set(owner, accountsMax.value);
  const about = { subject: owner, detail: `accounts ${accountsMax.value ?? "as the program"}` };
  return okReply({ ownerId: owner, accountsMax: accountsMax.value }, about);
};

const nameAccount: OperatorHandler<"accounts.update"> = async (
  { services },
  { parameters, body },
) => {
  const given = parseExternalId(body);
  if (!given.ok) return problemReply(given);
  const id = parseAccountId(parameters.id);
  const claimed = id === null ? "missing" : await services.accounts.setExternalId(id, given.value);
  if (id === null || claimed === "missing") return NO_ACCOUNT;
  const about = { subject: id, accountId: id, detail: given.value };
  switch (claimed.is) {
    case "claimed":
      return okReply(await readAccountItem(services, id), about);
    case "named":
      return { ...namedBeforeReply(claimed.as), about };
    case "taken": {
      const text = `${JSON.stringify(given.value)} belongs to the account ${claimed.by}`;
      return { ...takenIdReply(text, { accountId: claimed.by }), about };
    }
  }
};

function parseProvision(body: unknown): Parsed<AccountDeed> {
  const nothing = parseEmptyBody(body);
  return nothing.ok ? { ok: true, value: { deed: "provision" } } : nothing;
}

/** Makes the handler of a call that changes an account and answers only the id of the account. */
function createDeedHandler(
  parse: (body: unknown) => Parsed<AccountDeed>,
): (
  options: OperatorCallOptions,
  call: JsonCall,
) => Promise<JsonReply<{ readonly accountId: string }>> {
  return async (options, call) => {
    const parsed = parse(call.body);
    if (!parsed.ok) return problemReply(parsed);
    const done = await carryOut(options, call, parsed.value);
    return "status" in done ? done : okReply({ accountId: done.id }, done.about);
  };
}

const closeAccount: OperatorHandler<"accounts.close"> = async (options, call) => {
  const parsed = parseClosing(call.body);
  if (!parsed.ok) return problemReply(parsed);
  const done = await carryOut(options, call, parsed.value);
  if ("status" in done) return done;
  const { id, about, closed } = done;
  const view = closedView(id, closed);
  return okReply(view, { ...about, detail: closedDetail(view) });
};

interface Done {
  readonly id: AccountId;
  readonly about: AuditDetails;
  /** The rewards of the account when it was closed. Null after any other change, and for an account of a validator. */
  readonly closed: ClosedRewards | null;
}

async function carryOut(
  { services }: OperatorCallOptions,
  { parameters, act }: JsonCall,
  one: AccountDeed,
): Promise<Done | RefusedReply> {
  const id = parseAccountId(parameters.id);
  if (id === null) return NO_ACCOUNT;
  const about = { subject: id, accountId: id, ...detailOf(one) };
  const result = await services.accounts.carryOut(id, one, act);
  if (result === "missing") return NO_ACCOUNT;
  if (result === "done") return { id, about, closed: null };
  if ("closed" in result) return { id, about, closed: result.closed };
  if ("notOffered" in result) return { ...notOfferedReply(result), about };
  const { refused: error, field, ...code } = result;
  const reply = field === null ? refusedReply(error) : refusedReply(error, 400, field);
  return { ...reply, ...code, about };
}

/**
 * Describes a closing for the audit: `payout 1951.4 USD`, `forfeited 1951.4 USD`, both with a comma between them, or
 * `no reward`.
 */
function closedDetail({ payout, forfeited }: ClosedAccount): string {
  const parts = [
    ...(payout === null ? [] : [`payout ${payout.amount} USD`]),
    ...(forfeited === null || forfeited === 0 ? [] : [`forfeited ${forfeited} USD`]),
  ];
  return parts.length === 0 ? "no reward" : parts.join(", ");
}

function detailOf(one: AccountDeed): AuditDetails {
  switch (one.deed) {
    case "provision":
    case "close":
      return {};
    case "promote":
      return one.phase === null ? {} : { detail: `from ${one.phase}` };
    case "eliminate":
      return { detail: one.reason };
    case "offerPro":
      return { detail: `${one.program ?? "usual program"}, ${dollars(one.proAccountSize)} USD` };
  }
}

const NO_ROOM: RefusedReply = { ...refusedReply(TOO_MANY_KEYS), code: "key_limit" };

const createKey: OperatorHandler<"keys.create"> = async (
  { services, clock },
  { body, act },
  by,
) => {
  const request = parseNewKey(body, clock.now());
  if (!request.ok) return problemReply(request);
  if ((await services.accounts.networkOf(request.value.accountId)) === null) return NO_ACCOUNT;
  const made = await services.keys.create({ ...request.value, by: by.name }, act);
  if (made === null) return NO_ROOM;
  const { key, secret } = made;
  const view = keyView(key);
  const about = { subject: key.keyId, accountId: key.accountId, detail: view.scopes.join(", ") };
  return okReply({ ...view, secret }, about);
};

async function checkKey(
  { services, clock }: OperatorCallOptions,
  { body }: JsonCall,
  earlier: number,
): Promise<RefusedReply | null> {
  const request = parseNewKey(body, clock.now());
  if (!request.ok) return problemReply(request);
  const { accountId } = request.value;
  if ((await services.accounts.networkOf(accountId)) === null) return NO_ACCOUNT;
  return (await services.keys.hasRoom(accountId, earlier)) ? null : NO_ROOM;
}

const listKeys: OperatorHandler<"keys.list"> = (options, call) =>
  answerList(options, call, "keys.list", keyRows(options.clock.now()));

const listAlerts: OperatorHandler<"alerts.list"> = (options, call) =>
  answerList(options, call, "alerts.list", ALERT_ROWS);

const listUnansweredOrders: OperatorHandler<"unansweredOrders.list"> = (options, call) =>
  answerList(options, call, "unansweredOrders.list", UNANSWERED_ORDER_ROWS);

const revokeKey: OperatorHandler<"keys.revoke"> = async ({ services }, { parameters, act }, by) => {
  const keyId = parameters.id ?? "";
  const account = await services.keys.accountOf(keyId);
  const about: AuditDetails = {
    subject: keyId.slice(0, SUBJECT_MAX),
    ...(account === null ? {} : { accountId: account }),
  };
  const isRepeat = act?.isRepeat === true;
  // When the call is repeated, the first attempt may have revoked the key.
  if (account !== null && ((await services.keys.revoke(keyId, by.name)) || isRepeat)) {
    return okReply({ keyId, ...(await services.switches.leftRunningOfAccount(account)) }, about);
  }
  return { ...refusedReply("Key not found, or revoked before", 404), about };
};

const rekeySecrets: OperatorHandler<"keys.rekey"> = async ({ services }, { body, act }) => {
  const nothing = parseEmptyBody(body);
  if (!nothing.ok) return problemReply(nothing);
  const done = [
    await services.keys.rekey(),
    await services.webhooks.rekey(),
    await services.repeats.rekey(),
  ];
  await services.evidence.rotate(act);
  return okReply({
    resealed: done.reduce((sum, { resealed }) => sum + resealed, 0),
    unreadable: done.flatMap(({ unreadable }) => unreadable),
  });
};

const verifyJournal: OperatorHandler<"journal.verify"> = async ({ services }, { body }) => {
  const which = parseVerify(body);
  if (!which.ok) return problemReply(which);
  const { value } = which;
  if (value !== "all" && (await services.accounts.networkOf(value)) === null) return NO_ACCOUNT;
  return okReply(journalProofView(await services.journal.verify(value)));
};

const rebuildJournal: OperatorHandler<"journal.rebuild"> = async ({ services }, { body }) => {
  const request = parseRebuild(body);
  if (!request.ok) return problemReply(request);
  const { which, write } = request.value;
  const refusal = await withoutDecisions(services, which);
  if (refusal !== null) return refusal;
  const about = { subject: which, detail: write ? "written" : "compared only" };
  const rebuilt = await services.journal.rebuild(which, write);
  if (rebuilt.written > 0) services.book.invalidate();
  return okReply(rebuilt, about);
};

const exportJournal: OperatorHandler<"journal.export"> = async ({ services }, { parameters }) => {
  const id = parseAccountId(parameters.id);
  if (id === null || (await services.accounts.networkOf(id)) === null) return NO_ACCOUNT;
  return journalFileReply(services.journal.export(id, WHOLE_JOURNAL), id);
};

/**
 * The refusal for an account that is unknown or whose orders this service does not decide; null for any other account,
 * and for `all`.
 */
async function withoutDecisions(
  { accounts }: OperatorServices,
  which: AccountId | "all",
): Promise<RefusedReply | null> {
  if (which === "all") return null;
  const network = await accounts.networkOf(which);
  if (network === null) return NO_ACCOUNT;
  const reason = accounts.noDecisionsReason(network);
  return reason === null ? null : notOfferedReply(reason);
}

const readHealth: OperatorHandler<"health"> = async ({ services }) =>
  okReply(await services.health());

const COLUMNS = {
  "accounts.bulk": bulkColumnsOf(OPERATOR_BODIES["accounts.open"]),
  "keys.bulk": bulkColumnsOf(OPERATOR_BODIES["keys.create"]),
  "payouts.bulk": bulkColumnsOf(OPERATOR_BODIES["payouts.record"], "id"),
} satisfies Partial<Record<OperatorCallName, BulkColumns>>;

const BULKS = {
  "accounts.bulk": createBulkHandler({
    name: "accounts.open",
    columns: COLUMNS["accounts.bulk"],
    handle: openAccount,
    uniqueField: "externalId",
    limitKeyOf: ({ ownerId = null }) => ownerId,
    check: checkAccount,
  }),
  "keys.bulk": createBulkHandler({
    name: "keys.create",
    columns: COLUMNS["keys.bulk"],
    handle: createKey,
    uniqueField: null,
    limitKeyOf: ({ accountId }) => parseAccountId(String(accountId)),
    check: checkKey,
  }),
  "payouts.bulk": createBulkHandler({
    name: "payouts.record",
    columns: COLUMNS["payouts.bulk"],
    handle: recordPayout,
    uniqueField: "id",
    limitKeyOf: () => null,
    check: checkPayout,
  }),
} satisfies Record<keyof typeof COLUMNS, unknown>;

/** The handler of every call in the contract. */
const HANDLERS: { readonly [Name in OperatorCallName]: OperatorHandler<Name> } = {
  "accounts.open": openAccount,
  ...BULKS,
  "accounts.link": linkAccount,
  "accounts.list": listAccounts,
  "accounts.get": showAccount,
  "accounts.update": nameAccount,
  "accounts.provision": createDeedHandler(parseProvision),
  "accounts.close": closeAccount,
  "accounts.eliminate": createDeedHandler(parseElimination),
  "accounts.promote": createDeedHandler(parsePromotion),
  "accounts.offerPro": createDeedHandler(parseProOffer),
  "accounts.positions": createAccountReadHandler("getPositions"),
  "accounts.orders": createAccountReadHandler("getOrders"),
  "accounts.orderHistory": createAccountReadHandler("getOrderHistory"),
  "accounts.order": createAccountReadHandler("getOrder"),
  "accounts.trades": createAccountReadHandler("getTrades"),
  "accounts.fills": createAccountReadHandler("getFills"),
  "accounts.payouts": createAccountReadHandler("getPayouts"),
  "accounts.events": createAccountReadHandler("getEvents"),
  "accounts.equity": listAccountEquity,
  "accounts.evidence": showEvidence,
  exposure: showExposure,
  stress: showStress,
  "keys.create": createKey,
  "keys.rekey": rekeySecrets,
  "keys.list": listKeys,
  "keys.revoke": revokeKey,
  "people.list": listPeople,
  "people.add": addPerson,
  "people.update": namePerson,
  "people.link": linkPerson,
  "people.keys": showPersonKeys,
  "people.disable": disablePerson,
  "people.enable": enablePerson,
  "tokens.list": listTokens,
  "tokens.add": addToken,
  "tokens.revoke": revokeToken,
  "owners.update": updateOwner,
  "unansweredOrders.list": listUnansweredOrders,
  "payouts.list": listPayouts,
  "payouts.get": showPayout,
  "payouts.record": recordPayout,
  "funding.list": listFunding,
  "funding.set": setFunding,
  "funding.withdraw": withdrawFunding,
  "corporateActions.list": listActions,
  "corporateActions.announce": announceAction,
  "corporateActions.cancel": cancelAction,
  "programs.list": listPrograms,
  "programs.get": showProgram,
  "programs.add": addProgram,
  "programs.validate": checkProgram,
  "catalogue.validate": validateCatalogue,
  "journal.verify": verifyJournal,
  "journal.rebuild": rebuildJournal,
  "journal.export": exportJournal,
  "events.list": listEvents,
  "alerts.list": listAlerts,
  backup: backUp,
  "restore.confirm": confirmRestore,
  ...WEBHOOK_HANDLERS,
  health: readHealth,
  "instruments.list": listInstruments,
  "prices.list": listPrices,
  "prices.get": showPrice,
  "prices.effect": showEffect,
  "prices.use": useSource,
  "prices.auto": chooseAuto,
  "prices.halt": haltPair,
  search,
  "audit.list": listAudit,
  "audit.verify": verifyAudit,
};

const BODY_BYTES_MAX: Readonly<Partial<Record<string, number>>> = {
  "catalogue.validate": CATALOGUE_BYTES_MAX,
  "accounts.bulk": BULK_BYTES_MAX,
  "keys.bulk": BULK_BYTES_MAX,
  "payouts.bulk": BULK_BYTES_MAX,
} satisfies Partial<Record<OperatorCallName, number>>;

/** All calls of the operator's interface, with their handlers. */
export const OPERATOR_ROUTES: readonly OperatorRoute[] = routes(HANDLERS);

function routes(
  handlers: Readonly<Record<string, OperatorRoute["handle"]>>,
): readonly OperatorRoute[] {
  return Object.entries<OperatorCall>(OPERATOR_CALLS).map(([name, call]) => {
    const { [name]: handle } = handlers;
    if (handle === undefined) throw new Error(`broken invariant: ${name} has no handler`);
    const { [name]: bodyBytesMax } = BODY_BYTES_MAX;
    const { [name]: columns } = COLUMNS as Readonly<Partial<Record<string, BulkColumns>>>;
    return {
      ...call,
      name,
      query: queryParametersOf(name),
      handle,
      ...(columns === undefined ? {} : { columns, takesFile: true }),
      ...(bodyBytesMax === undefined ? {} : { bodyBytesMax }),
    };
  });
}
