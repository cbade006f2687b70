import { awaitedPrice } from "../account/judging-price.ts";
import { profitOf } from "../challenge/target.ts";
import { endingRefusal, statusRefusal } from "../orders/guards.ts";
import { closeCycle, cycleFigures } from "../payouts/cycle.ts";
import { endTrading } from "../positions/end-trading.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { AccountState } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import type { CloseAccount, EliminateAccount, OpenAccount } from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import type { Refusal } from "../state/refusal.ts";
import { type MicroUsd, microUsd } from "../units.ts";
import { eliminate, forfeitDeferred } from "./eliminate.ts";
import { passTime } from "./pass-time.ts";

/**
 * Opens an account with its owner and its terms. It cannot trade until it is provisioned, unless the command provisions
 * it. @rule D8.states
 */
export function openAccount(draft: Draft, command: OpenAccount): void {
  const { accountId, ownerId, terms, provisioned } = command;
  draft.record({ type: "accountOpened", accountId, ownerId, terms, provisioned });
}

/** Makes an account active; refused unless it waits for its provisioning. */
export function provisionAccount(draft: Draft): Result<null, Refusal> {
  if (draft.state.status !== "provisioning") {
    return refuse(statusRefusal(draft.state) ?? { code: "alreadyProvisioned" });
  }
  draft.record({ type: "accountProvisioned" });
  return ok(null);
}

/**
 * Closes the account: runs due work, closes all positions, and then closes the cycle in progress or drops it. An
 * eliminated account may be closed too. Refused for a closed account, in the cases of `endingRefusal`, and while a
 * cycle that is to be closed waits for a price. @rule D8.states @rule D13.closing decides
 */
export function closeAccount(draft: Draft, command: CloseAccount): Result<null, Refusal> {
  passTime(draft);
  if (draft.state.status === "closed") return refuse({ code: "accountClosed" });
  const refusal = endingRefusal(draft, command);
  if (refusal !== null) return refuse(refusal);
  const earns = draft.state.earning !== null;
  const isForfeited = command.forfeit === true;
  const awaited = earns && !isForfeited ? awaitedPrice(draft.state, draft.moment, "clock") : null;
  if (awaited !== null) return refuse({ code: "cycleWaits", pair: awaited.pair });
  endTrading(draft, "flatten");
  const share = isForfeited ? shareInProgress(draft.state) : microUsd(0);
  if (!isForfeited) closeCycle(draft, draft.moment.now);
  forfeitDeferred(draft);
  draft.record({ type: "accountClosed", ...(share > 0 ? { forfeited: share } : {}) });
  return ok(null);
}

/** The trader's share of the cycle in progress, for an account without positions; 0 when the phase earns nothing. */
function shareInProgress(state: AccountState): MicroUsd {
  if (state.earning === null) return microUsd(0);
  return cycleFigures(state, profitOf(state, balanceOf(state))).share;
}

/**
 * Runs due work and eliminates the account with the operator's reason, although no limit was breached. Refused for an
 * account that has ended, and in the cases of `endingRefusal`. @rule S2.1.3
 */
export function eliminateAccount(draft: Draft, command: EliminateAccount): Result<null, Refusal> {
  passTime(draft);
  if (draft.state.status === "eliminated") return refuse({ code: "accountEliminated" });
  if (draft.state.status === "closed") return refuse({ code: "accountClosed" });
  const refusal = endingRefusal(draft, command);
  if (refusal !== null) return refuse(refusal);
  const cause = { kind: "operator", reason: command.reason } as const;
  eliminate(draft, { cause, atMs: draft.moment.now, drawdownPct: null });
  return ok(null);
}
