import { decimalText } from "../../format/exact.ts";

/** The amount that was typed for a payment. `usd` is null when none was typed, or when it has a problem. */
interface PaidAmount {
  readonly usd: number | null;
  readonly problem: string | null;
}

const CENTS_PER_USD = 100;
const MICROS_PER_USD = 1_000_000;
const MICROS_PER_CENT = MICROS_PER_USD / CENTS_PER_USD;

/** Checks the typed amount as the service does, so that the problem is shown at the field. @rule D7.paidAmount */
export function paidAmountOf(typed: string, amount: number): PaidAmount {
  const text = typed.trim();
  if (text === "") return { usd: null, problem: null };
  if (!/^\d+(\.\d+)?$/.test(text)) return wrong("Enter a number with a point, such as 969.70.");
  const usd = Number(text);
  if (Math.round(usd * CENTS_PER_USD) / CENTS_PER_USD !== usd) {
    return wrong("Enter whole cents, such as 969.70.");
  }
  if (Math.abs(microsOf(usd) - microsOf(amount)) > MICROS_PER_CENT) {
    return wrong(`Enter an amount at most a cent from ${decimalText(amount)}.`);
  }
  return { usd, problem: null };
}

function wrong(problem: string): PaidAmount {
  return { usd: null, problem };
}

function microsOf(usd: number): number {
  return Math.round(usd * MICROS_PER_USD);
}
