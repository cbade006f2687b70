import type { CycleView } from "@propgate/contract";
import { sumUsd } from "../../format/exact.ts";
import { sharedDigits } from "../../format/exact-money.ts";
import { plainText } from "../../format/numbers.ts";

/** One line of the calculation of a closed week's payout. */
export interface FormulaLine {
  readonly sign: "" | "−" | "×" | "+" | "=";
  readonly name: string;
  /** The amount in USD; null for a factor, which is in `note`. */
  readonly amount: number | null;
  readonly note: string;
}

/** The week's payout in USD: its share plus the released shares of earlier weeks. 0 for a held week. */
export function payableUsd({ isHeld, share, released }: CycleView): number {
  return isHeld ? 0 : sumUsd([share, released]);
}

/** The calculation of a week's payout, line by line. */
export function formulaOf(cycle: CycleView): readonly FormulaLine[] {
  const { profit, mark, gross, share, splitPercent, scale, released, isHeld } = cycle;
  const split = `${plainText(splitPercent)} % split`;
  return [
    line("", "profit to date", profit, "realized minus fees and open losses, since earning began"),
    line("−", "mark", mark, "the highest profit of all earlier weeks"),
    line("=", "gross", gross, isShort(cycle) ? "losses must be recovered first" : ""),
    line("×", "part", null, scale === 1 ? split : `${split} × ${plainText(scale)} scale`),
    line("=", "share", share, isHeld ? "withheld until a week without a soft breach" : ""),
    line("+", "released", released, released > 0 ? "from earlier held weeks" : ""),
    line("=", "payout", payableUsd(cycle), isHeld ? "nothing while the week is held" : ""),
  ];
}

/** The number of decimals that all lines of the calculation need. */
export function formulaDigits(lines: readonly FormulaLine[]): number {
  return sharedDigits(lines.map(({ amount }) => amount));
}

/** True when the profit is below `mark`, the highest profit of all earlier weeks: losses must be recovered first. */
function isShort({ profit, mark }: CycleView): boolean {
  return profit < mark;
}

function line(
  sign: FormulaLine["sign"],
  name: string,
  amount: number | null,
  note: string,
): FormulaLine {
  return { sign, name, amount, note };
}
