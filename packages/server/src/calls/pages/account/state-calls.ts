import { ACCOUNT_CHOICES_MAX } from "@propgate/contract";
import type { AccountStore } from "@propgate/ledger";
import type { NetworkReadings } from "@propgate/wire";
import { okReply, refusedReply } from "../../json/json-reply.ts";
import type { PageRoute, Visitor } from "../page-call.ts";
import { type AccountCall, type AccountCallInput, UNREADABLE } from "./account-call.ts";
import { eventStreamReply, type LiveStreams } from "./live-streams.ts";

export interface StateOptions {
  readonly accounts: Pick<AccountStore, "find" | "newest">;
  readonly readings: NetworkReadings;
  readonly live: LiveStreams;
}

/**
 * GET accounts: the newest accounts of an owner, or, for an operator, the newest of all accounts; at most
 * `ACCOUNT_CHOICES_MAX`, the newest first.
 */
export function accountChoices({ accounts, readings }: StateOptions): PageRoute {
  const entriesFor = ({ person: { role, ownerId } }: Visitor) => {
    if (role === "operator") return accounts.newest(null, ACCOUNT_CHOICES_MAX.operator);
    return ownerId === null ? [] : accounts.newest(ownerId, ACCOUNT_CHOICES_MAX.owner);
  };
  return {
    name: "account.choices",
    method: "GET",
    path: "/accounts",
    audited: false,
    async handle(_call, visitor) {
      const entries = await entriesFor(visitor);
      const choices = entries.map((entry) => readings[entry.network].accountChoice(entry));
      return okReply((await Promise.all(choices)).filter((choice) => choice !== null));
    },
  };
}

/** GET state: the account's state. GET live: a stream of its states. */
export function stateCalls(options: StateOptions): readonly AccountCall[] {
  const { readings, live } = options;
  const stateOf = ({ account }: AccountCallInput) => readings[account.network].state(account);
  return [
    {
      name: "account.state",
      method: "GET",
      path: "/accounts/:id/state",
      async handle(input) {
        const view = await stateOf(input);
        return view === null ? UNREADABLE : okReply(view);
      },
    },
    {
      name: "account.live",
      method: "GET",
      path: "/accounts/:id/live",
      async handle(input) {
        const full = live.fullReason(input.visitor);
        if (full !== null) return refusedReply(full, 429);
        const view = await stateOf(input);
        if (view === null) return UNREADABLE;
        const stream = live.open(input.visitor, input.accountId, view);
        return typeof stream === "string" ? refusedReply(stream, 429) : eventStreamReply(stream);
      },
    },
  ];
}
