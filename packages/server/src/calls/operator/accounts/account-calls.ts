import { fine } from "../../json/json-reply.ts";
import { readList } from "../lists/list-call.ts";
import type { Handle } from "../operator-reply.ts";
import { accountRows } from "./account-rows.ts";

/** The accounts of both networks, valued at the moment of the call. */
export const listAccounts: Handle<"accounts.list"> = async (options, call) => {
  const { book, accountNames } = options.services;
  const opened = await book.open();
  const answer = await readList(options, call, "accounts.list", accountRows(opened, accountNames));
  if ("status" in answer) return answer;
  const { items, next, total } = answer;
  return fine({ items, next, total, asOf: opened.asOf });
};
