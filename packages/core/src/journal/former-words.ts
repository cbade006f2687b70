/**
 * Reads the words that journals up to state format 3 kept for eliminations and leverage caps: the
 * wording of the API of that time. These tables are frozen; the server's `api/wire.ts` may change without them.
 */
import { assert } from "../assert.ts";
import type { AssetClass } from "../market/instrument.ts";
import type { Elimination, EliminationCause, FailedPhase, LossRule } from "../state/account.ts";
import type { CappedExposure, ExposureCap } from "../state/exposure-cap.ts";
import { leverage } from "../units.ts";

export type FormerElimination = Omit<Elimination, "cause"> & { readonly reason: string };

const PHASES: Readonly<Record<string, FailedPhase>> = {
  CHALLENGE: "challenge",
  FUNDED: "funded",
  PRO_CHALLENGE: "proChallenge",
  PRO_FUNDED: "proFunded",
};

const RULES: Readonly<Record<string, LossRule>> = {
  INTRADAY: "dailyLoss",
  STATIC: "staticLoss",
  EOD: "endOfDayTrailing",
};

const ASSET_CLASSES: Readonly<Record<string, AssetClass>> = {
  crypto: "crypto",
  forex: "forex",
  indices: "indices",
  equities: "equities",
  commodities: "commodities",
};

export function eliminationFrom({ reason, ...rest }: FormerElimination): Elimination {
  return { cause: causeFrom(reason, rest.drawdownPct !== null), ...rest };
}

/** An operator may have written a reason that reads like a code, but never with a drawdown. */
function causeFrom(reason: string, isBreach: boolean): EliminationCause {
  if (!isBreach) {
    return reason === "INACTIVE" ? { kind: "inactivity" } : { kind: "operator", reason };
  }
  const [, phaseWord = "", ruleWord = ""] =
    /^FAILED_(\w+)_PERIOD_(\w+)_DRAWDOWN$/.exec(reason) ?? [];
  const phase = PHASES[phaseWord];
  const rule = RULES[ruleWord];
  assert(phase !== undefined && rule !== undefined, `a known reason, not ${reason}`);
  return { kind: "lossLimit", phase, rule };
}

/** From `per pair cap 1.5x` and the other three forms. */
export function capFrom(text: string): ExposureCap {
  const [, name = "", multiple = ""] = /^(.+) (\S+)x$/.exec(text) ?? [];
  const of = exposureFrom(name);
  assert(of !== null, `a known cap, not ${text}`);
  return { cap: leverage(Number(multiple)), of };
}

function exposureFrom(name: string): CappedExposure | null {
  if (name === "per pair cap") return { kind: "pair" };
  if (name === "overall portfolio cap") return { kind: "portfolio" };
  const [, className = ""] = /^per class cap (\w+)$/.exec(name) ?? [];
  const assetClass = ASSET_CLASSES[className];
  if (assetClass !== undefined) return { kind: "class", assetClass };
  const [, group] = /^(.+) exposure cap$/.exec(name) ?? [];
  return group === undefined ? null : { kind: "group", group };
}
