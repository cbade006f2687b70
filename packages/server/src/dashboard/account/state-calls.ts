import type { AccountChoice } from "@propgate/contract";
import type { AccountState } from "@propgate/core";
import { evaluationTitle } from "../../http/views/account.ts";
import { evaluationWord } from "../../http/wire.ts";
import { fine, refused } from "../../json/json-reply.ts";
import type { PresentAccounts } from "../../network/present-account.ts";
import type { AccountStore } from "../../storage/stores/account-store.ts";
import type { PageRoute, Visitor } from "../page-call.ts";
import { type AccountCall, type Asked, UNREADABLE } from "./account-call.ts";
import { eventStream, type LiveStreams } from "./live-streams.ts";
import { accountStateView } from "./state-view.ts";

export interface StateNeeds {
  readonly accounts: Pick<AccountStore, "find" | "newest">;
  readonly present: PresentAccounts;
  readonly live: LiveStreams;
}

/** More than an owner can ever have open; the eliminated ones of long ago have no page. */
const OWNED_MAX = 200;
/** An operator finds the others in the console. */
const NEWEST = 50;

/** GET accounts: an owner's, newest first; for an operator the newest there are. */
export function accountChoices({ accounts, present }: StateNeeds): PageRoute {
  const entriesFor = ({ person: { role, ownerId } }: Visitor) => {
    if (role === "operator") return accounts.newest(null, NEWEST);
    return ownerId === null ? [] : accounts.newest(ownerId, OWNED_MAX);
  };
  return {
    name: "account.choices",
    method: "GET",
    path: "/accounts",
    audited: false,
    async handle(_call, visitor) {
      const entries = await entriesFor(visitor);
      const read = await Promise.all(entries.map((entry) => present.read(entry)));
      return fine(read.flatMap((one) => (one === null ? [] : [choice(one.state)])));
    },
  };
}

function choice({ accountId, status, phase, terms, openedAtMs }: AccountState): AccountChoice {
  return {
    accountId,
    title: evaluationTitle({ phase, effectiveSize: terms.size }),
    status: evaluationWord(status, phase),
    isEliminated: status === "eliminated",
    openedAtMs,
  };
}

/** GET state and its stream. */
export function stateCalls(need: StateNeeds): readonly AccountCall[] {
  const { present, live } = need;
  const stateOf = async ({ account }: Asked) => {
    const found = await present.read(account);
    if (found === null) return null;
    return accountStateView(present, { account: found, moment: present.moment() });
  };
  return [
    {
      name: "account.state",
      method: "GET",
      path: "/accounts/:id/state",
      async handle(asked) {
        const view = await stateOf(asked);
        return view === null ? UNREADABLE : fine(view);
      },
    },
    {
      name: "account.live",
      method: "GET",
      path: "/accounts/:id/live",
      async handle(asked) {
        const full = live.isFull(asked.visitor);
        if (full !== null) return refused(full, 429);
        const view = await stateOf(asked);
        if (view === null) return UNREADABLE;
        return eventStream(live.open(asked.visitor, asked.accountId, view));
      },
    },
  ];
}
