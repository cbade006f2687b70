import { type AccountStatus, dollars, type ObservedEvent, type Phase } from "@propgate/core";
import type { NewLine } from "@propgate/ledger";
import { observedEvent, usdOrNull } from "@propgate/wire";
import type { LinkedReadings, SubaccountInfo } from "../dashboard/linked-readings.ts";
import { linkedElimination } from "../views/loss-limits.ts";
import { linkedStatus, phaseOf } from "../views/phase.ts";

/** The first line of a linked account: the subaccount as the validator showed it when it was linked. */
export function openingLine(info: SubaccountInfo, status: AccountStatus): NewLine {
  const opened = observedEvent(
    "account.opened",
    {
      programId: null,
      programVersion: null,
      variant: null,
      assetClass: info.assetClass,
      size: dollars(info.size),
      drawdownCriteria: info.drawdownCriteria,
      provisioned: status === "active",
    },
    info.createdAtMs,
  );
  return operatorLine("link", opened);
}

/** The last line of an account that is unlinked. */
export function closingLine(): NewLine {
  return operatorLine("close", observedEvent("account.closed", { status: "closed" }, null));
}

function operatorLine(command: string, event: ObservedEvent): NewLine {
  return { origin: "operator", keyId: null, nonce: null, command, event: JSON.stringify(event) };
}

/** The events of changes of the account's status and phase. */
export function accountEvents(
  before: { readonly status: AccountStatus; readonly readings: LinkedReadings | null },
  after: LinkedReadings,
): readonly ObservedEvent[] {
  const status = linkedStatus(after);
  const { info } = after;
  const isEnded = status === "eliminated";
  return [
    ...(before.status === "provisioning" && status === "active"
      ? [observedEvent("account.provisioned", { status: "active" }, null)]
      : []),
    ...(isEnded || before.readings === null ? [] : phaseEvents(before.readings, after)),
    ...(isEnded && before.status !== "eliminated"
      ? [eliminatedEvent(linkedElimination(after), info)]
      : []),
  ];
}

function eliminatedEvent(
  elimination: ReturnType<typeof linkedElimination>,
  { eliminatedAtMs }: SubaccountInfo,
): ObservedEvent {
  const { reason = null, drawdownPct = null, atMs = eliminatedAtMs } = elimination ?? {};
  return observedEvent("account.eliminated", { reason, drawdownPct }, atMs);
}

function phaseEvents(before: LinkedReadings, after: LinkedReadings): readonly ObservedEvent[] {
  const [from, to] = [phaseOf(before), phaseOf(after)];
  const hasChanged = from !== null && to !== null && from !== to;
  const isHeld = before.pro?.softBreach === false && after.pro?.softBreach === true;
  return [
    ...(hasChanged ? phaseStartEvents(from, to, after) : []),
    ...(isHeld ? [observedEvent("pro.soft_breached", { dayStartMs: null }, null)] : []),
  ];
}

/**
 * The event of a phase that begins. There is none for a challenge, nor for a funded phase that does not follow a
 * challenge.
 */
function phaseStartEvents(from: Phase, to: Phase, after: LinkedReadings): readonly ObservedEvent[] {
  const { challenge, info } = after;
  const startMs = challenge?.bucketStartMs ?? null;
  const pro = { programId: null, programVersion: null, size: usdOrNull(info.proSize) };
  switch (to) {
    case "challenge":
      return [];
    case "funded":
      return from === "challenge"
        ? [observedEvent("challenge.passed", { by: null, equity: null }, startMs)]
        : [];
    case "proTransition":
      return [observedEvent("pro.offered", { ...pro, transitionEndsAtMs: null }, startMs)];
    case "proChallengeDirect":
    case "proChallengeFromStandard": {
      const bucket = challenge?.bucket ?? "unknown";
      return [observedEvent("pro.started", { bucket, ...pro, startMs, equity: null }, startMs)];
    }
    case "proFunded":
      return [
        observedEvent("pro.promoted", { by: null, profit: null, promotedMs: startMs }, startMs),
      ];
  }
}
