import type { AccountId } from "@propgate/core";
import { parseAccountId } from "../../json/json-fields.ts";
import type { JsonRoute } from "../../json/json-interface.ts";
import {
  type About,
  type JsonCall,
  type JsonReply,
  type RefusedReply,
  refused,
} from "../../json/json-reply.ts";
import type { AccountEntry, AccountStore } from "../../storage/stores/account-store.ts";
import type { PageRoute, Visitor } from "../page-call.ts";

/** A call about one account that its caller may see. */
export interface Asked extends JsonCall {
  readonly visitor: Visitor;
  readonly accountId: AccountId;
  /** As its row stands at this moment: reads show at least this version. */
  readonly account: AccountEntry;
}

/** A call about one account, as its handler is written. */
export interface AccountCall extends Pick<JsonRoute<Visitor>, "name" | "method" | "path"> {
  /** True: the owner alone may do it, and it leaves a line in the audit. */
  readonly changes?: boolean;
  readonly handle: (asked: Asked) => Promise<JsonReply>;
}

const NOT_FOUND: RefusedReply = refused("Account not found", 404);
const OWNERS_ONLY: RefusedReply = refused(
  "Only the account's owner can do this here; an operator has the console for it",
  403,
);

/** The account cannot be read: nothing is shown rather than something old. */
export const UNREADABLE: RefusedReply = refused(
  "The account cannot be read at the moment; try again shortly",
  503,
);

/**
 * Lets an owner to his own accounts and an operator to all of them. An account of somebody else, one
 * that does not exist and an id that cannot be one are answered alike.
 */
export function accountRoute(accounts: Pick<AccountStore, "find">, call: AccountCall): PageRoute {
  const { name, method, path, changes = false, handle } = call;
  return {
    ...{ name, method, path },
    audited: changes,
    async handle(asked, visitor) {
      const { id } = asked.parameters;
      const account = await visible(accounts, id, visitor);
      if (account === null) return aboutIt(NOT_FOUND, { subject: shown(id) });
      const { accountId } = account;
      if (changes && visitor.person.role === "operator") {
        return aboutIt(OWNERS_ONLY, { accountId });
      }
      const reply = await handle({ ...asked, visitor, account, accountId });
      return "content" in reply ? reply : aboutIt(reply, { accountId });
    },
  };
}

async function visible(
  accounts: Pick<AccountStore, "find">,
  id: string | undefined,
  { person }: Visitor,
): Promise<AccountEntry | null> {
  const accountId = parseAccountId(id);
  const account = accountId === null ? null : await accounts.find(accountId);
  if (account === null) return null;
  return person.role === "operator" || account.ownerId === person.ownerId ? account : null;
}

/** What the handler says of its call goes before what is said of every one. */
function aboutIt<Reply extends { readonly about?: About }>(reply: Reply, about: About): Reply {
  return { ...reply, about: { ...about, ...reply.about } };
}

/** Of a path that somebody made up no more than an id is long. */
function shown(id: string | undefined): string {
  return (id ?? "").slice(0, 36);
}
