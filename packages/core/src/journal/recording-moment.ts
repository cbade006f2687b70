import { findImprovedBests } from "../evolve/bests.ts";
import type { PairId } from "../ids.ts";
import { type CorporateAction, includesAction } from "../market/corporate-action.ts";
import type { Quote } from "../market/quote.ts";
import type { AccountState } from "../state/account.ts";
import type { Moment } from "../state/moment.ts";
import { isActionPending } from "../state/pending-actions.ts";
import type { UnixMs } from "../units.ts";
import type { UsedBest, UsedRate } from "./decision-inputs.ts";

/** The parts of a moment on which a decision depended. */
export interface ReadInputs {
  /** The quotes that were read, in the order of their first reading. */
  readonly quotes: readonly Quote[];
  readonly actions: readonly CorporateAction[];
  readonly rates: readonly UsedRate[];
  /** For each trailing leg with a better price than its recorded best, the quote with that price. */
  readonly bests: readonly UsedBest[];
}

/** A moment that records which of its quotes and funding rates a decision reads. */
export interface RecordingMoment {
  readonly moment: Moment;
  /** The inputs on which the decision depended so far. `before` is the account before the decision. */
  readInputs(before: AccountState | null): ReadInputs;
}

/** A moment with the same values, which records the quotes and funding rates that are read. */
export function createRecordingMoment(moment: Moment): RecordingMoment {
  const quotes = new Map<PairId, Quote>();
  const rates: UsedRate[] = [];
  const { funding } = moment;
  const recorded: Moment = {
    ...moment,
    quotes: {
      get(pair) {
        const quote = moment.quotes.get(pair);
        if (quote !== undefined) quotes.set(pair, quote);
        return quote;
      },
    },
    ...(funding === undefined ? {} : { funding: { get: (pair) => ratesOf(pair) } }),
  };
  const ratesOf = (pair: PairId) => {
    const ofPair = funding?.get(pair);
    if (ofPair === undefined) return undefined;
    return {
      get(hourMs: UnixMs) {
        const rate = ofPair.get(hourMs);
        const isNew = !rates.some((one) => one.pair === pair && one.hourMs === hourMs);
        if (rate !== undefined && isNew) rates.push({ pair, hourMs, rate });
        return rate;
      },
    };
  };
  return {
    moment: recorded,
    readInputs(before) {
      const bests = before === null ? [] : relevantBests(before, moment);
      const read = [...quotes.values(), ...bests.map(({ quote }) => quote)];
      const actions = relevantActions(moment, before, read);
      return { quotes: [...quotes.values()], actions, rates, bests };
    },
  };
}

function relevantBests(before: AccountState, moment: Moment): readonly UsedBest[] {
  return findImprovedBests(before, moment).flatMap(({ leg: { uuid } }) => {
    const quote = moment.bests?.get(uuid);
    return quote === undefined ? [] : [{ orderUuid: uuid, quote }];
  });
}

/**
 * The corporate actions that matter to a decision. They are the due actions that were not carried out on the account
 * yet, and the actions that a quote which was read, or a followed best price, does not include. @rule D13.oneScale
 */
function relevantActions(
  { actions, now }: Moment,
  before: AccountState | null,
  read: readonly Quote[],
): readonly CorporateAction[] {
  const found: CorporateAction[] = [];
  for (const [pair, ofPair] of actions ?? []) {
    const ofRead = read.filter((quote) => quote.pair === pair);
    for (const action of ofPair) {
      if (action.atMs > now) continue;
      const isPending = before !== null && isActionPending(before, action, { now });
      if (isPending || ofRead.some((quote) => !includesAction(quote, action))) found.push(action);
    }
  }
  return found;
}
