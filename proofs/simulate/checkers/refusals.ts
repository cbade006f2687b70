/** A refusal was true for the account at some time during the request. */
import type { HttpExchange } from "../checker.ts";
import type { AccountHistory } from "./account-history.ts";
import { heldPositionOf, type ModelAccount } from "./account-model.ts";
import { errorTextOf } from "./answers.ts";

interface RefusalClaim {
  readonly pattern: RegExp;
  /** True when the refusal is true for this account; `about` is the id or pair in the text. */
  readonly isTrue: (account: ModelAccount, about: string) => boolean;
}

const CLAIMS: readonly RefusalClaim[] = [
  {
    pattern: /^'order_uuid' (\S+) is not a pending order$/,
    isTrue: ({ orders }, id) => !orders.has(id),
  },
  {
    pattern: /^'order_uuid' (\S+) is not an open position$/,
    isTrue: ({ held }, id) => !held.has(id),
  },
  {
    pattern: /^There is no open position in (\S+)$/,
    isTrue: (account, pair) => heldPositionOf(account, pair) === null,
  },
  {
    pattern: /^The account is eliminated()/,
    isTrue: ({ status }) => status === "eliminated",
  },
  { pattern: /^The account is closed()/, isTrue: ({ status }) => status === "closed" },
  {
    pattern: /^Account is not ready for trading()/,
    isTrue: ({ status }) => status === "provisioning",
  },
  {
    pattern: /^Account not found()$/,
    isTrue: ({ status }) => status === "provisioning" || status === "closed" || status === "none",
  },
];

/**
 * The problem of a refusal that was never true; null when it was true or cannot be judged. States before the line
 * `floor` do not count.
 */
export function refusalProblem(
  { outcome }: HttpExchange,
  { past, floor }: { readonly past: AccountHistory; readonly floor: number },
): string | null {
  const error = outcome.kind === "lost" ? null : errorTextOf(outcome.body);
  if (error === null) return null;
  for (const { pattern, isTrue } of CLAIMS) {
    const about = pattern.exec(error)?.[1];
    if (about === undefined) continue;
    const wasTrue = past.visible.some((account) => account.seq >= floor && isTrue(account, about));
    return wasTrue ? null : `it was refused with "${error}", which was never true`;
  }
  return null;
}
