import { type PriceLine, priceText } from "@propgate/contract";
import { timeCell } from "../../operator-client.ts";
import { tableLines } from "../../output.ts";
import type { Terminal } from "../../terminal.ts";

/** The table of prices, and below it the problem of each pair and what an operator has chosen for it. */
export function pricesTable(items: readonly PriceLine[], terminal: Terminal): readonly string[] {
  const nowMs = terminal.now();
  if (items.length === 0) return ["No matching pair."];
  const rows = items.map((item) => [
    item.pair,
    item.state,
    item.source ?? "--",
    priceCell(item.bid, item.tick),
    priceCell(item.ask, item.tick),
    item.quoteAtMs === null ? "--" : secondsText(Math.max(0, nowMs - item.quoteAtMs)),
    item.lagMs === null ? "--" : `${item.lagMs}ms`,
    String(item.rejected),
    choiceCell(item),
  ]);
  const notes = items.flatMap(noteOf);
  return [
    ...tableLines(["pair", "state", "source", "bid", "ask", "age", "lag", "rej", "choice"], rows),
    ...(notes.length === 0 ? [] : ["", ...notes]),
  ];
}

function priceCell(value: number | null, tick: number): string {
  return value === null ? "--" : priceText(value, { tick });
}

const MS_PER_SECOND = 1_000;
const MS_PER_HOUR = 3_600_000;

function secondsText(ms: number): string {
  if (ms >= MS_PER_HOUR) return `${Math.floor(ms / MS_PER_HOUR)}h`;
  return `${(ms / MS_PER_SECOND).toFixed(1)}s`;
}

function choiceCell({ choiceKind, choiceSource }: PriceLine): string {
  return choiceKind === "use" ? `use ${choiceSource ?? ""}` : choiceKind;
}

/** The pair's problem, and the source or the halt that an operator has chosen: by whom, when and why. */
function noteOf(item: PriceLine): readonly string[] {
  const { pair, problem, choiceKind, choiceBy, choiceAtMs, choiceReason } = item;
  const why = choiceReason === null ? "" : `: ${choiceReason}`;
  const chosen =
    choiceKind === "auto"
      ? []
      : [`${pair}: ${choiceCell(item)} by ${choiceBy ?? ""} at ${timeCell(choiceAtMs)}${why}`];
  return problem === null ? chosen : [`${pair}: ${problem}`, ...chosen];
}
