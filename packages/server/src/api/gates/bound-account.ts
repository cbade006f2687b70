import { bodyAccountIds, type QueryParameters, queryFitsAccount } from "@propgate/contract";
import type { AccountId } from "@propgate/core";
import type { RequestBody } from "../request-body.ts";
import type { Check } from "./facts.ts";

/**
 * An `accountId` in the query or body must be the key's own account, else the answer is 403. In a query a value that is
 * not a uuid counts as another account; in a body it is 400. @rule S5.R5 D2.10 decides
 */
export const checkBoundAccount: Check<{
  readonly method: "GET" | "POST";
  readonly accountId: AccountId;
  readonly query: QueryParameters;
  readonly body: RequestBody;
}> = ({ method, accountId, query, body }) => {
  if (!queryFitsAccount(query, accountId)) return { error: "differentAccount" };
  if (method === "GET") return null;
  const reading = body.json();
  // An unreadable body has no accountId; check 12 rejects it.
  if (!reading.ok) return null;
  const named = bodyAccountIds(reading.value);
  if (!named.ok) return { error: "malformedAccountId" };
  const bound = accountId.toLowerCase();
  return named.accountIds.every((one) => one === bound) ? null : { error: "differentAccount" };
};
