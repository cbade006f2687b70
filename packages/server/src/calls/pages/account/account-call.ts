import type { AccountId } from "@propgate/core";
import type { AccountStore, AccountSummary } from "@propgate/ledger";
import { parseAccountId } from "../../json/json-fields.ts";
import type { JsonRoute } from "../../json/json-interface.ts";
import {
  type AuditDetails,
  type JsonCall,
  type JsonReply,
  type RefusedReply,
  refusedReply,
} from "../../json/json-reply.ts";
import { NOT_CONFIRMED } from "../confirm-calls.ts";
import type { PageRoute, Visitor } from "../page-call.ts";

/** A call about an account that the caller may see. */
export interface AccountCallInput extends JsonCall {
  readonly visitor: Visitor;
  readonly accountId: AccountId;
  /** The account's stored row. A read shows at least the version of this row. */
  readonly account: AccountSummary;
}

/** A call about one account, with its handler. */
export interface AccountCall
  extends Pick<JsonRoute<Visitor>, "name" | "method" | "path" | "query"> {
  /** True for a call that only the owner may make, and that is written to the audit. */
  readonly changes?: boolean;
  /** True when the person must have given a password or passkey in the last five minutes. */
  readonly needsConfirmation?: boolean;
  readonly handle: (input: AccountCallInput) => Promise<JsonReply>;
}

const NOT_FOUND: RefusedReply = refusedReply("Account not found", 404);
const OWNERS_ONLY: RefusedReply = refusedReply(
  "Only the account's owner can do this here; an operator has the console for it",
  403,
);

/** The refusal while an account cannot be read. Stale data are not shown instead. */
export const UNREADABLE: RefusedReply = refusedReply(
  "The account cannot be read at the moment; try again shortly",
  503,
);

/**
 * The route of a call about one account. Owners may reach their own accounts, operators all accounts. Another owner's
 * account, an unknown account and an invalid id get the same answer.
 */
export function accountRoute(accounts: Pick<AccountStore, "find">, call: AccountCall): PageRoute {
  const { name, method, path, query, changes = false, needsConfirmation = false, handle } = call;
  return {
    name,
    method,
    path,
    ...(query === undefined ? {} : { query }),
    audited: changes,
    async handle(input, visitor) {
      const { id } = input.parameters;
      const account = await findVisibleAccount(accounts, id, visitor);
      if (account === null) return withAuditDetails(NOT_FOUND, { subject: truncateId(id) });
      const { accountId } = account;
      if (changes && visitor.person.role === "operator") {
        return withAuditDetails(OWNERS_ONLY, { accountId });
      }
      if (needsConfirmation && !visitor.isConfirmed)
        return withAuditDetails(NOT_CONFIRMED, { accountId });
      const reply = await handle({ ...input, visitor, account, accountId });
      return "content" in reply ? reply : withAuditDetails(reply, { accountId });
    },
  };
}

async function findVisibleAccount(
  accounts: Pick<AccountStore, "find">,
  id: string | undefined,
  { person }: Visitor,
): Promise<AccountSummary | null> {
  const accountId = parseAccountId(id);
  const account = accountId === null ? null : await accounts.find(accountId);
  if (account === null) return null;
  return person.role === "operator" || account.ownerId === person.ownerId ? account : null;
}

/** Adds default details for the audit. The details of the handler override them. */
function withAuditDetails<Reply extends { readonly about?: AuditDetails }>(
  reply: Reply,
  about: AuditDetails,
): Reply {
  return { ...reply, about: { ...about, ...reply.about } };
}

/** Truncates an untrusted id to the length of a uuid. */
function truncateId(id: string | undefined): string {
  return (id ?? "").slice(0, 36);
}
