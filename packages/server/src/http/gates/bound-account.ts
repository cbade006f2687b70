import { bodyAccountId, type QueryParameters, queryFitsAccount } from "@propgate/contract";
import type { AccountId } from "@propgate/core";
import type { RequestBody } from "../request-body.ts";
import type { Check } from "./facts.ts";

/**
 * An accountId, where given, is the bound account's: in a query anything else is another account;
 * in a body a value that is no uuid is a mistake of the body. @rule S5.R5 D2.10
 */
export const boundAccount: Check<{
  readonly method: "GET" | "POST";
  readonly accountId: AccountId;
  readonly query: QueryParameters;
  readonly body: RequestBody;
}> = ({ method, accountId, query, body }) => {
  if (!queryFitsAccount(query, accountId)) return { error: "differentAccount" };
  if (method === "GET") return null;
  const reading = body.json();
  // A body that cannot be read names nobody; check 12 says what is wrong with it.
  if (!reading.ok) return null;
  const named = bodyAccountId(reading.value);
  if (!named.ok) return { error: "malformedAccountId" };
  const isBound = named.accountId === null || named.accountId === accountId.toLowerCase();
  return isBound ? null : { error: "differentAccount" };
};
