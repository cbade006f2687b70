import type { AccountId } from "@propgate/core";
import { bodyAccountId } from "../request-body.ts";
import type { Check } from "./facts.ts";

type Needs = {
  readonly method: "GET" | "POST";
  readonly accountId: AccountId;
  readonly query: string | null;
  readonly body: Buffer;
};

/**
 * An accountId, where given, is the bound account's: in a query anything else is another account;
 * in a body a value that is no uuid is a mistake of the body. @rule S5.R5 S4 D2.10
 */
export const boundAccount: Check<Needs> = ({ method, accountId, query, body }) => {
  if (query !== null && namesAnother(new URLSearchParams(query), accountId)) return OTHER_ACCOUNT;
  if (method === "GET") return null;
  const named = bodyAccountId(body);
  if (named === "none") return null;
  if (named === "malformed") return { error: "invalid_body", text: "accountId must be a uuid" };
  return isBound(named.accountId, accountId) ? null : OTHER_ACCOUNT;
};

const OTHER_ACCOUNT = { error: "other_account" } as const;

function namesAnother(query: URLSearchParams, accountId: AccountId): boolean {
  return query.getAll("accountId").some((named) => !isBound(named, accountId));
}

function isBound(named: string, accountId: AccountId): boolean {
  return named.toLowerCase() === accountId.toLowerCase();
}
