import type { AccountId } from "@propgate/core";
import type { Clock } from "../clock.ts";
import {
  type Parsed,
  parseAccountId,
  parseElimination,
  parseNewAccount,
  parseNewKey,
  parseNothing,
  parsePage,
  parseRebuild,
  parseVerify,
} from "./operator-requests.ts";
import { accountView, journalProofView, keyUseView, keyView } from "./operator-views.ts";
import type { AccountDeed, OperatorWorld } from "./operator-world.ts";

export interface OperatorCall {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export type OperatorReply =
  | { readonly status: 200; readonly data: unknown }
  | { readonly status: 400 | 404 | 409; readonly error: string };

export interface OperatorNeed {
  readonly world: OperatorWorld;
  readonly clock: Clock;
}

type Handle = (need: OperatorNeed, call: OperatorCall) => Promise<OperatorReply>;

/** The operator's interface, call by call; `name` stands in the audit line. */
export const OPERATOR_CALLS: readonly {
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly handle: Handle;
}[] = [
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
  { name: "key.create", method: "POST", path: "/keys", handle: createKey },
  { name: "key.rekey", method: "POST", path: "/keys/rekey", handle: rekeyAll },
  { name: "key.list", method: "GET", path: "/keys", handle: listKeys },
  { name: "key.revoke", method: "DELETE", path: "/keys/:id", handle: revokeKey },
  { name: "journal.verify", method: "POST", path: "/journal/verify", handle: verifyAll },
  { name: "journal.rebuild", method: "POST", path: "/journal/rebuild", handle: rebuildAll },
  { name: "health", method: "GET", path: "/health", handle: readHealth },
];

async function openAccount(
  { world }: OperatorNeed,
  { body }: OperatorCall,
): Promise<OperatorReply> {
  const account = parseNewAccount(body);
  if (!account.ok) return wrong(account);
  const opened = await world.accounts.open(account.value);
  if (typeof opened !== "string") return refused(opened.refused);
  return fine({ accountId: opened });
}

async function listAccounts(
  { world }: OperatorNeed,
  { query }: OperatorCall,
): Promise<OperatorReply> {
  const page = parsePage(query);
  if (!page.ok) return wrong(page);
  const { items, next } = await world.accounts.list(page.value);
  return fine({ items: items.map(accountView), next });
}

function plain(deed: "provision" | "close"): Handle {
  return async (need, call) => {
    const body = parseNothing(call.body);
    return body.ok ? act(need, call, { deed }) : wrong(body);
  };
}

async function eliminate(need: OperatorNeed, call: OperatorCall): Promise<OperatorReply> {
  const reason = parseElimination(call.body);
  if (!reason.ok) return wrong(reason);
  return act(need, call, { deed: "eliminate", reason: reason.value });
}

async function act(
  { world }: OperatorNeed,
  { parameters }: OperatorCall,
  deed: AccountDeed,
): Promise<OperatorReply> {
  const id = parseAccountId(parameters.id);
  if (id === null) return NO_ACCOUNT;
  const result = await world.accounts.act(id, deed);
  if (result === "missing") return NO_ACCOUNT;
  return result === "done" ? fine({ accountId: id }) : refused(result.refused);
}

async function createKey(
  { world, clock }: OperatorNeed,
  { body }: OperatorCall,
): Promise<OperatorReply> {
  const request = parseNewKey(body, clock.now());
  if (!request.ok) return wrong(request);
  if (!(await world.accounts.has(request.value.accountId))) return NO_ACCOUNT;
  const { key, secret } = await world.keys.create(request.value);
  return fine({ ...keyView(key), secret });
}

async function listKeys({ world }: OperatorNeed, { query }: OperatorCall): Promise<OperatorReply> {
  const asked = query.accountId;
  const id = parseAccountId(asked);
  if (asked !== undefined && id === null) return refused("accountId: must be a uuid", 400);
  return fine((await world.keys.list(id)).map(keyUseView));
}

async function revokeKey(
  { world }: OperatorNeed,
  { parameters }: OperatorCall,
): Promise<OperatorReply> {
  const keyId = parameters.id ?? "";
  if (await world.keys.revoke(keyId)) return fine({ keyId });
  return { status: 404, error: "Key not found, or revoked before" };
}

async function rekeyAll({ world }: OperatorNeed, { body }: OperatorCall): Promise<OperatorReply> {
  const nothing = parseNothing(body);
  return nothing.ok ? fine(await world.keys.rekey()) : wrong(nothing);
}

async function verifyAll({ world }: OperatorNeed, { body }: OperatorCall): Promise<OperatorReply> {
  const which = parseVerify(body);
  if (!which.ok) return wrong(which);
  if (!(await isKnown(world, which.value))) return NO_ACCOUNT;
  return fine(journalProofView(await world.journal.verify(which.value)));
}

async function rebuildAll({ world }: OperatorNeed, { body }: OperatorCall): Promise<OperatorReply> {
  const asked = parseRebuild(body);
  if (!asked.ok) return wrong(asked);
  const { which, write } = asked.value;
  if (!(await isKnown(world, which))) return NO_ACCOUNT;
  return fine(await world.journal.rebuild(which, write));
}

async function isKnown(world: OperatorWorld, which: AccountId | "all"): Promise<boolean> {
  return which === "all" || (await world.accounts.has(which));
}

async function readHealth({ world }: OperatorNeed): Promise<OperatorReply> {
  return fine(await world.health());
}

const NO_ACCOUNT: OperatorReply = { status: 404, error: "Account not found" };

function fine(data: unknown): OperatorReply {
  return { status: 200, data };
}

function wrong(parsed: Extract<Parsed<unknown>, { readonly ok: false }>): OperatorReply {
  return { status: 400, error: parsed.problem };
}

function refused(error: string, status: 400 | 409 = 409): OperatorReply {
  return { status, error };
}
