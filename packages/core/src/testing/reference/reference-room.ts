/** The value that an account may still add on a pair, written from the text of the rules. @rule D5.caps */
import type { AccountState } from "../../state/account.ts";
import type { Moment } from "../../state/moment.ts";
import { instrumentOf, positionWorth } from "../lives/valuation-model.ts";

/**
 * The value that the account may still add on the pair, in micro dollars. Null for an account with caps on exposure
 * groups, which another model checks.
 */
export function addableValueFor(
  pair: string,
  { terms, realized, fees, positions }: AccountState,
  moment: Moment,
): number | null {
  if (Object.keys(terms.groupCaps).length > 0) return null;
  const instrument = instrumentOf(pair, moment);
  const balance = terms.size + realized - fees;
  const held = positions.map((position) => ({
    pair: position.pair,
    assetClass: instrumentOf(position.pair, moment).assetClass,
    // A position without a price counts with its value at entry.
    value: positionWorth(position, moment)?.value ?? position.entryValue,
  }));
  const sumOf = (some: typeof held): number => some.reduce((sum, { value }) => sum + value, 0);
  return Math.min(
    instrument.leverageCaps[terms.tier] * balance - sumOf(held.filter((one) => one.pair === pair)),
    terms.classCaps[instrument.assetClass] * balance -
      sumOf(held.filter((one) => one.assetClass === instrument.assetClass)),
    terms.portfolioCap * balance - sumOf(held),
  );
}
