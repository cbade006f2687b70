import type { OperatorAccount } from "@propgate/contract";
import type { AccountId } from "@propgate/core";
import { okReply } from "../../json/json-reply.ts";
import { readList } from "../lists/list-call.ts";
import type { OperatorHandler } from "../operator-reply.ts";
import type { OperatorServices } from "../operator-services.ts";
import { accountRows, readBookItem } from "./account-rows.ts";

/** Lists the accounts of both networks with their figures at the moment of the call. */
export const listAccounts: OperatorHandler<"accounts.list"> = async (options, call) => {
  const { book, accountNames } = options.services;
  const opened = await book.open();
  const answer = await readList(options, call, "accounts.list", accountRows(opened, accountNames));
  if ("status" in answer) return answer;
  const { items, next, total } = answer;
  return okReply({ items, next, total, asOf: opened.asOf });
};

/** A fault: an account cannot be read although a write on it has just succeeded. */
class UnreadableAfterWrite extends Error {
  override readonly name = "UnreadableAfterWrite";

  constructor(id: AccountId) {
    super(`the account ${id} was written and cannot be read`);
  }
}

/** The item of an existing account, for the answer to a call that has changed the account. */
export async function readAccountItem(
  { book, accountNames }: Pick<OperatorServices, "book" | "accountNames">,
  id: AccountId,
): Promise<OperatorAccount> {
  const found = await readBookItem(await book.openAt(id), accountNames, id);
  if (found === null) throw new UnreadableAfterWrite(id);
  return found.item;
}
