import { seenPhaseRefusal } from "../orders/guards.ts";
import { endTrading } from "../positions/end-trading.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { CloseAccount, EliminateAccount, OpenAccount } from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import type { Refusal } from "../state/refusal.ts";
import { eliminate, forfeitDeferred } from "./eliminate.ts";
import { passTime } from "./pass-time.ts";

/** @rule D8.states */
export function openAccount(draft: Draft, command: OpenAccount): void {
  const { accountId, ownerId, terms, provisioned } = command;
  draft.record({ type: "accountOpened", accountId, ownerId, terms, provisioned });
}

export function provisionAccount(draft: Draft): Result<null, Refusal> {
  if (draft.state.status !== "provisioning") return refuse({ code: "alreadyProvisioned" });
  draft.record({ type: "accountProvisioned" });
  return ok(null);
}

/** Runs due work and closes all positions first. An eliminated account may be closed too. @rule D8.states */
export function closeAccount(draft: Draft, command: CloseAccount): Result<null, Refusal> {
  passTime(draft);
  if (draft.state.status === "closed") return refuse({ code: "accountClosed" });
  const changed = seenPhaseRefusal(draft.state, command);
  if (changed !== null) return refuse(changed);
  endTrading(draft, "flatten");
  forfeitDeferred(draft);
  draft.record({ type: "accountClosed" });
  return ok(null);
}

/** Eliminates by the operator's command, for the operator's reason; no limit was breached. @rule S2.1.3 */
export function eliminateAccount(draft: Draft, command: EliminateAccount): Result<null, Refusal> {
  passTime(draft);
  if (draft.state.status === "eliminated") return refuse({ code: "accountEliminated" });
  if (draft.state.status === "closed") return refuse({ code: "accountClosed" });
  const changed = seenPhaseRefusal(draft.state, command);
  if (changed !== null) return refuse(changed);
  const cause = { kind: "operator", reason: command.reason } as const;
  eliminate(draft, { cause, atMs: draft.moment.now, drawdownPct: null });
  return ok(null);
}
