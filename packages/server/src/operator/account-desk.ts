import {
  type AccountId,
  balanceOf,
  ownerId,
  type Refusal,
  type Result,
  type Terms,
} from "@propgate/core";
import type { Accounts } from "../network/accounts.ts";
import type { StateCache } from "../network/state-cache.ts";
import type { Chance } from "../random.ts";
import type { AccountDesk, AccountLine, NewAccount } from "./operator-world.ts";

/** The program's terms for an account that is ordered, or in words why no program offers it. */
export type FindTerms = (account: NewAccount) => Result<Terms, string>;

/** The operator's way to accounts: terms from the programs, changes through their journals. */
export function createAccountDesk(need: {
  readonly accounts: Accounts;
  readonly states: Pick<StateCache, "read">;
  readonly findTerms: FindTerms;
  readonly chance: Chance;
}): AccountDesk {
  const { accounts, states } = need;
  return {
    async open(account) {
      const terms = need.findTerms(account);
      if (!terms.ok) return { refused: terms.refusal };
      return accounts.open({
        ownerId: account.ownerId ?? ownerId(need.chance.uuid()),
        terms: terms.value,
        provisioned: account.provisioned,
      });
    },
    async list(page) {
      const entries = await accounts.list(page);
      const lines = await Promise.all(entries.map((entry) => readLine(states, entry)));
      const last = entries.length < page.limit ? undefined : entries.at(-1);
      return { items: lines.filter((line) => line !== null), next: last?.accountId ?? null };
    },
    has: async (accountId) => (await accounts.find(accountId)) !== null,
    async act(accountId, deed) {
      const change =
        deed.deed === "eliminate"
          ? await accounts.eliminate(accountId, deed.reason)
          : await accounts[deed.deed](accountId);
      if (change === null) return "missing";
      return change.ok ? "done" : { refused: describeRefusal(change.refusal) };
    },
  };
}

async function readLine(
  states: Pick<StateCache, "read">,
  entry: { readonly accountId: AccountId; readonly version: number },
): Promise<AccountLine | null> {
  const account = await states.read(entry);
  if (account === null) return null;
  const { accountId, ownerId: owner, status, phase, terms, openedAtMs } = account.state;
  return {
    accountId,
    ownerId: owner,
    status,
    phase,
    size: terms.size,
    assetClass: terms.assetClass,
    criteria: terms.criteria,
    balance: balanceOf(account.state),
    openedAtMs,
  };
}

/** What may stand in an account's way when the operator acts on it. */
const REFUSALS: Readonly<Partial<Record<Refusal["code"], string>>> = {
  accountClosed: "The account is closed",
  accountEliminated: "The account is eliminated",
  accountNotReady: "The account is not provisioned yet",
  alreadyProvisioned: "The account is provisioned already",
};

function describeRefusal({ code }: Refusal): string {
  return REFUSALS[code] ?? `The network refuses it: ${code}`;
}
