import type { CycleView } from "@propgate/contract";
import { sumUsd } from "../../format/exact.ts";
import { sharedDigits } from "../../format/exact-money.ts";
import { plainText } from "../../format/numbers.ts";

/** One line of the sum that a closed week comes to. */
export interface FormulaLine {
  readonly sign: "" | "−" | "×" | "+" | "=";
  readonly name: string;
  /** USD; null where the line is a factor, which `note` gives. */
  readonly amount: number | null;
  readonly note: string;
}

/** What the week pays: its share with what it releases, nothing while it is held. USD. */
export function payable({ isHeld, share, released }: CycleView): number {
  return isHeld ? 0 : sumUsd([share, released]);
}

/** How the week came to what it pays, line by line, with the week's own numbers. */
export function formulaOf(cycle: CycleView): readonly FormulaLine[] {
  const { profit, mark, gross, share, splitPercent, scale, released, isHeld } = cycle;
  const split = `${plainText(splitPercent)} % split`;
  return [
    line("", "profit", profit, "realized less fees and open losses, since earning began"),
    line("−", "mark", mark, "the highest profit of any week before"),
    line("=", "gross", gross, isShort(cycle) ? "losses are won back first" : ""),
    line("×", "part", null, scale === 1 ? split : `${split} × ${plainText(scale)} scale`),
    line("=", "share", share, isHeld ? "withheld: a clean week releases it" : ""),
    line("+", "released", released, released > 0 ? "of earlier weeks that were held" : ""),
    line("=", "payout", payable(cycle), isHeld ? "nothing while the week is held" : ""),
  ];
}

/** Digits that all lines of the sum need. */
export function formulaDigits(lines: readonly FormulaLine[]): number {
  return sharedDigits(lines.map(({ amount }) => amount));
}

/** Profit did not get beyond the mark, so there is nothing to share. */
function isShort({ profit, mark }: CycleView): boolean {
  return profit < mark;
}

function line(
  sign: FormulaLine["sign"],
  name: string,
  ...[amount, note]: readonly [amount: number | null, note: string]
): FormulaLine {
  return { sign, name, amount, note };
}
