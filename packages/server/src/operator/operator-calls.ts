import { type AccountId, dollars } from "@propgate/core";
import { parseAccountId } from "../json/json-fields.ts";
import { type About, fine, type JsonCall, type JsonReply, refused } from "../json/json-reply.ts";
import { listInstruments } from "./instrument-calls.ts";
import { type Handle, NO_ACCOUNT, type OperatorNeed, wrong } from "./operator-reply.ts";
import {
  parseElimination,
  parseNewAccount,
  parseNewKey,
  parseNothing,
  parsePage,
  parseProOffer,
  parseRebuild,
  parseVerify,
} from "./operator-requests.ts";
import { accountView, journalProofView, keyUseView, keyView } from "./operator-views.ts";
import type { AccountDeed, OperatorWorld } from "./operator-world.ts";
import { listPayouts, recordPayout, showPayout } from "./payout-calls.ts";
import { addPerson, disablePerson, enablePerson, linkPerson, listPeople } from "./people-calls.ts";
import {
  addProgram,
  checkProgram,
  listPrograms,
  showProgram,
  validateCatalogue,
} from "./program-calls.ts";
import { listAudit, search } from "./search-calls.ts";

export interface OperatorRoute {
  /** Stands in the audit line. */
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly handle: Handle;
  /** Where a body may be larger than the others. */
  readonly bodyBytesMax?: number;
}

/** What a caller names goes into the audit, but not at any length. */
const SUBJECT_MAX = 100;

/** A catalogue of every listed share still fits. */
const CATALOGUE_BYTES_MAX = 4 * 1024 * 1024;

/** The operator's interface, call by call. */
export const OPERATOR_CALLS: readonly OperatorRoute[] = [
  { name: "account.open", method: "POST", path: "/accounts", handle: openAccount },
  { name: "account.list", method: "GET", path: "/accounts", handle: listAccounts },
  {
    name: "account.provision",
    method: "POST",
    path: "/accounts/:id/provision",
    handle: plain("provision"),
  },
  { name: "account.close", method: "POST", path: "/accounts/:id/close", handle: plain("close") },
  { name: "account.eliminate", method: "POST", path: "/accounts/:id/eliminate", handle: eliminate },
  {
    name: "account.promote",
    method: "POST",
    path: "/accounts/:id/promote",
    handle: plain("promote"),
  },
  { name: "account.offerPro", method: "POST", path: "/accounts/:id/offer-pro", handle: offerPro },
  { name: "key.create", method: "POST", path: "/keys", handle: createKey },
  { name: "key.rekey", method: "POST", path: "/keys/rekey", handle: rekeyAll },
  { name: "key.list", method: "GET", path: "/keys", handle: listKeys },
  { name: "key.revoke", method: "DELETE", path: "/keys/:id", handle: revokeKey },
  { name: "person.list", method: "GET", path: "/people", handle: listPeople },
  { name: "person.add", method: "POST", path: "/people", handle: addPerson },
  { name: "person.link", method: "POST", path: "/people/:id/link", handle: linkPerson },
  { name: "person.disable", method: "POST", path: "/people/:id/disable", handle: disablePerson },
  { name: "person.enable", method: "POST", path: "/people/:id/enable", handle: enablePerson },
  { name: "payout.list", method: "GET", path: "/payouts", handle: listPayouts },
  { name: "payout.show", method: "GET", path: "/payouts/:id", handle: showPayout },
  { name: "payout.record", method: "POST", path: "/payouts/:id", handle: recordPayout },
  { name: "program.list", method: "GET", path: "/programs", handle: listPrograms },
  { name: "program.show", method: "GET", path: "/programs/:id", handle: showProgram },
  { name: "program.add", method: "POST", path: "/programs", handle: addProgram },
  { name: "program.check", method: "POST", path: "/programs/validate", handle: checkProgram },
  {
    name: "catalogue.check",
    method: "POST",
    path: "/catalogue/validate",
    bodyBytesMax: CATALOGUE_BYTES_MAX,
    handle: validateCatalogue,
  },
  { name: "journal.verify", method: "POST", path: "/journal/verify", handle: verifyAll },
  { name: "journal.rebuild", method: "POST", path: "/journal/rebuild", handle: rebuildAll },
  { name: "backup", method: "POST", path: "/backup", handle: backUp },
  { name: "health", method: "GET", path: "/health", handle: readHealth },
  { name: "instrument.list", method: "GET", path: "/instruments", handle: listInstruments },
  { name: "search", method: "GET", path: "/search", handle: search },
  { name: "audit.list", method: "GET", path: "/audit", handle: listAudit },
];

async function openAccount({ world }: OperatorNeed, { body }: JsonCall): Promise<JsonReply> {
  const account = parseNewAccount(body);
  if (!account.ok) return wrong(account);
  const opened = await world.accounts.open(account.value);
  if (typeof opened !== "string") return refused(opened.refused);
  return fine({ accountId: opened }, { subject: opened, accountId: opened });
}

async function listAccounts({ world }: OperatorNeed, { query }: JsonCall): Promise<JsonReply> {
  const page = parsePage(query);
  if (!page.ok) return wrong(page);
  const { items, next } = await world.accounts.list(page.value);
  return fine({ items: items.map(accountView), next });
}

function plain(deed: "provision" | "close" | "promote"): Handle {
  return async (need, call) => {
    const body = parseNothing(call.body);
    return body.ok ? act(need, call, { deed }) : wrong(body);
  };
}

async function eliminate(need: OperatorNeed, call: JsonCall): Promise<JsonReply> {
  const reason = parseElimination(call.body);
  if (!reason.ok) return wrong(reason);
  return act(need, call, { deed: "eliminate", reason: reason.value });
}

async function offerPro(need: OperatorNeed, call: JsonCall): Promise<JsonReply> {
  const offer = parseProOffer(call.body);
  return offer.ok ? act(need, call, { deed: "offerPro", ...offer.value }) : wrong(offer);
}

async function act(
  { world }: OperatorNeed,
  { parameters }: JsonCall,
  deed: AccountDeed,
): Promise<JsonReply> {
  const id = parseAccountId(parameters.id);
  if (id === null) return NO_ACCOUNT;
  const about = { subject: id, accountId: id, ...detailOf(deed) };
  const result = await world.accounts.act(id, deed);
  if (result === "missing") return NO_ACCOUNT;
  if (result === "done") return fine({ accountId: id }, about);
  return { ...refused(result.refused), about };
}

function detailOf(deed: AccountDeed): About {
  if (deed.deed === "eliminate") return { detail: deed.reason };
  if (deed.deed !== "offerPro") return {};
  return { detail: `${deed.program ?? "usual program"}, ${dollars(deed.proAccountSize)} USD` };
}

async function createKey({ world, clock }: OperatorNeed, { body }: JsonCall): Promise<JsonReply> {
  const request = parseNewKey(body, clock.now());
  if (!request.ok) return wrong(request);
  if (!(await world.accounts.has(request.value.accountId))) return NO_ACCOUNT;
  const { key, secret } = await world.keys.create(request.value);
  const view = keyView(key);
  const about = { subject: key.keyId, accountId: key.accountId, detail: view.scopes.join(", ") };
  return fine({ ...view, secret }, about);
}

async function listKeys({ world }: OperatorNeed, { query }: JsonCall): Promise<JsonReply> {
  const asked = query.accountId;
  const id = parseAccountId(asked);
  if (asked !== undefined && id === null) return refused("accountId: must be a uuid", 400);
  return fine((await world.keys.list(id)).map(keyUseView));
}

async function revokeKey({ world }: OperatorNeed, { parameters }: JsonCall): Promise<JsonReply> {
  const keyId = parameters.id ?? "";
  const about = { subject: keyId.slice(0, SUBJECT_MAX) };
  if (await world.keys.revoke(keyId)) return fine({ keyId }, about);
  return { ...refused("Key not found, or revoked before", 404), about };
}

async function rekeyAll({ world }: OperatorNeed, { body }: JsonCall): Promise<JsonReply> {
  const nothing = parseNothing(body);
  return nothing.ok ? fine(await world.keys.rekey()) : wrong(nothing);
}

async function verifyAll({ world }: OperatorNeed, { body }: JsonCall): Promise<JsonReply> {
  const which = parseVerify(body);
  if (!which.ok) return wrong(which);
  if (!(await isKnown(world, which.value))) return NO_ACCOUNT;
  return fine(journalProofView(await world.journal.verify(which.value)));
}

async function rebuildAll({ world }: OperatorNeed, { body }: JsonCall): Promise<JsonReply> {
  const asked = parseRebuild(body);
  if (!asked.ok) return wrong(asked);
  const { which, write } = asked.value;
  if (!(await isKnown(world, which))) return NO_ACCOUNT;
  const about = { subject: which, detail: write ? "written" : "compared only" };
  return fine(await world.journal.rebuild(which, write), about);
}

async function isKnown(world: OperatorWorld, which: AccountId | "all"): Promise<boolean> {
  return which === "all" || (await world.accounts.has(which));
}

async function backUp({ world }: OperatorNeed, { body }: JsonCall): Promise<JsonReply> {
  const nothing = parseNothing(body);
  if (!nothing.ok) return wrong(nothing);
  return { status: 200, content: await world.backup(), type: "application/gzip" };
}

async function readHealth({ world }: OperatorNeed): Promise<JsonReply> {
  return fine(await world.health());
}
