import type { OperatorAnswer, OperatorKey, OperatorPerson } from "@propgate/contract";
import type { AccountSummary } from "@propgate/ledger";
import { cursorOfPlace, endSummary, programOfTerms } from "@propgate/wire";
import { keyRows } from "../../../storage/lists/keys-list.ts";
import { PEOPLE_ROWS } from "../../../storage/lists/people-list.ts";
import {
  type JsonCall,
  type JsonReply,
  okReply,
  type RefusedReply,
} from "../../json/json-reply.ts";
import { readList } from "../lists/list-call.ts";
import { NO_ACCOUNT, type OperatorCallOptions, type OperatorHandler } from "../operator-reply.ts";
import type { BookAccount } from "./account-book.ts";
import { findCallAccount, handlerInput, rejectedReply } from "./account-read-calls.ts";
import { readBookItem } from "./account-rows.ts";

type Detail = OperatorAnswer<"accounts.get">;

/** The maximum number of people, and of keys, that the detail shows. */
const ITEMS_MAX = "500";

/** Answers an account with its snapshot, program, people, keys, end and the cursor of its newest event. */
export const showAccount: OperatorHandler<"accounts.get"> = async (options, call) => {
  const { services } = options;
  const entry = await findCallAccount(services, call);
  if (entry === null) return NO_ACCOUNT;
  const found = await readBookItem(
    await services.book.openAt(entry.accountId),
    services.accountNames,
    entry.accountId,
  );
  if (found === null) return NO_ACCOUNT;
  const snapshot = await snapshotOf(options, call, entry);
  if ("refused" in snapshot) return snapshot.refused;
  const head = await services.reads.head(entry.accountId);
  if (head === null) throw new Error("broken invariant: the journal of an account has a line");
  return okReply({
    account: found.item,
    snapshot: snapshot.data,
    program: programOf(found.account),
    people: await peopleOf(options, entry),
    keys: await keysOf(options, entry),
    end: await endOf(options, found.account),
    cursor: cursorOfPlace(head),
  });
};

/**
 * The answer of GET account in the signed API. Null while the account is being provisioned and once it is closed,
 * because that call is then a 404.
 */
async function snapshotOf(
  { services, clock }: OperatorCallOptions,
  call: JsonCall,
  account: AccountSummary,
): Promise<{ readonly data: unknown } | { readonly refused: RefusedReply }> {
  if (account.status === "provisioning" || account.status === "closed") return { data: null };
  const input = handlerInput(call, { account, given: {}, nowMs: clock.now() });
  const answer = await services.reads.snapshot(input);
  if (!answer.ok) return { refused: rejectedReply(answer.rejection) };
  if (typeof answer.json !== "string") throw new Error("broken invariant: an account has one text");
  return { data: JSON.parse(answer.json) };
}

function programOf(account: BookAccount): Detail["program"] {
  if (account.network === "vanta") return null;
  return programOfTerms(account.account.state.terms);
}

/** The items of the first page of a list. */
async function itemsOf<Item>(
  answer: Promise<{ readonly items: readonly Item[] } | JsonReply>,
): Promise<readonly Item[]> {
  const read = await answer;
  if (!("items" in read)) throw new Error("broken invariant: a filter of our own is wrong");
  return read.items;
}

function peopleOf(
  options: OperatorCallOptions,
  { ownerId }: AccountSummary,
): Promise<readonly OperatorPerson[]> {
  const query = { ownerId, limit: ITEMS_MAX };
  return itemsOf(readList(options, { query, parameters: {} }, "people.list", PEOPLE_ROWS));
}

function keysOf(
  options: OperatorCallOptions,
  { accountId }: AccountSummary,
): Promise<readonly OperatorKey[]> {
  const query = { accountId, limit: ITEMS_MAX };
  const rows = keyRows(options.clock.now());
  return itemsOf(readList(options, { query, parameters: {} }, "keys.list", rows));
}

/**
 * The summary of the evidence of the account's end; null for an account that is not eliminated or is at a validator.
 */
async function endOf(
  { services }: OperatorCallOptions,
  account: BookAccount,
): Promise<Detail["end"]> {
  // For an account without an elimination, the search for it would read the whole journal.
  if (account.network === "vanta" || account.account.state.elimination === null) return null;
  const end = await services.journal.findElimination(account.account.state.accountId);
  if (end === null) throw new Error("broken invariant: a line eliminated the account");
  return endSummary(end);
}
