import { fixedText } from "@propgate/contract";
import { missedTargets, type Objective, type UnixMs } from "@propgate/core";

/** Describes for people the targets that a day missed: `2026-01-07: consistency 66.7 %, at most 20 %`. */
export function unmetTargetsText(dayStartMs: UnixMs, atDayEnd: readonly Objective[]): string {
  const missed = missedTargets(atDayEnd).map(textOf);
  return `${dateText(dayStartMs)}: ${missed.join(" and ")}`;
}

function textOf({ key, value, threshold, higherIsBetter }: Objective): string {
  const bound = higherIsBetter ? "at least" : "at most";
  const shown = key === "consistency" ? percent : plain;
  return `${key === "calmar" ? "Calmar ratio" : key} ${shown(value ?? 0)}, ${bound} ${shown(threshold)}`;
}

function percent(share: number): string {
  return `${plain(share * 100, 1)} %`;
}

function plain(value: number, decimals = 2): string {
  return String(Number(fixedText(value, decimals)));
}

function dateText(atMs: UnixMs): string {
  return new Date(atMs).toISOString().slice(0, "YYYY-MM-DD".length);
}
