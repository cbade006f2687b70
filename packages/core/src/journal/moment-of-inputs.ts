import type { PairId } from "../ids.ts";
import type { CorporateAction } from "../market/corporate-action.ts";
import type { Instruments } from "../market/instrument.ts";
import type { Moment } from "../state/moment.ts";
import type { DecisionInputs } from "./decision-inputs.ts";

/** The moment of a decision, with the parts that the decision read. */
export function momentOfInputs(inputs: DecisionInputs, instruments: Instruments): Moment {
  const { now, quotes, actions, rates, bests } = inputs;
  const ofPair = new Map(rates.map(({ pair }) => [pair, ratesOf(inputs, pair)]));
  const actionsByPair = new Map<PairId, readonly CorporateAction[]>();
  for (const action of actions) {
    actionsByPair.set(action.pair, [...(actionsByPair.get(action.pair) ?? []), action]);
  }
  return {
    now,
    instruments,
    quotes: new Map(quotes.map(({ quote }) => [quote.pair, quote])),
    actions: actionsByPair,
    funding: ofPair,
    bests: new Map(bests.map(({ orderUuid, quote }) => [orderUuid, quote])),
  };
}

function ratesOf({ rates }: DecisionInputs, pair: PairId) {
  return new Map(
    rates.filter((one) => one.pair === pair).map(({ hourMs, rate }) => [hourMs, rate]),
  );
}
