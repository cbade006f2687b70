import { INSTRUMENTS_LIST, type OperatorInstrument } from "@propgate/contract";
import {
  type CarryModel,
  dollars,
  type Instrument,
  isFresh,
  lots,
  type MinPosition,
  type Quote,
  type UnixMs,
} from "@propgate/core";
import {
  ASSET_CLASS_WORDS,
  createSessionHoursReader,
  gridView,
  percentOfRatio,
} from "@propgate/wire";
import { inMemorySource } from "../../storage/lists/in-memory-source.ts";
import { answerList } from "./lists/list-call.ts";
import type { OperatorHandler } from "./operator-reply.ts";

/** Lists the instruments of the catalogue, each with the hours of its session and its present quote. */
export const listInstruments: OperatorHandler<"instruments.list"> = (options, call) => {
  const now = options.clock.now();
  const { instruments, quotes } = options.services.market;
  const hours = createSessionHoursReader(now);
  const items = [...instruments.values()].map((instrument) => ({
    ...termsView(instrument),
    ...hours(instrument.session),
    ...quoteView(instrument, quotes.get(instrument.id) ?? null, now),
  }));
  const source = inMemorySource(INSTRUMENTS_LIST, items);
  return answerList(options, call, "instruments.list", source);
};

type QuoteFields = Pick<OperatorInstrument, "bid" | "ask" | "quoteAtMs" | "isStale">;

function quoteView(instrument: Instrument, quote: Quote | null, now: UnixMs): QuoteFields {
  if (quote === null) return { bid: null, ask: null, quoteAtMs: null, isStale: true };
  const { bid, ask, atMs } = quote;
  return { bid, ask, quoteAtMs: atMs, isStale: !isFresh(quote, instrument, now) };
}

function termsView(
  instrument: Instrument,
): Omit<OperatorInstrument, "isOpen" | "changesAtMs" | keyof QuoteFields> {
  const { id, display, assetClass, base, lotSize, tick, leverageCaps, staleAfterMs } = instrument;
  return {
    pair: id,
    display,
    aliases: instrument.aliases,
    priceStep: instrument.priceStep,
    base,
    lotSize,
    tick,
    leverageCapTier1: leverageCaps.tier1,
    leverageCapTier2: leverageCaps.tier2,
    leverageCapTier3: leverageCaps.tier3,
    leverageCapPro: leverageCaps.pro,
    staleAfterMs,
    assetClass: ASSET_CLASS_WORDS[assetClass],
    quoteCurrency: instrument.quote,
    ...gridView(instrument),
    ...minPositionView(instrument.leastPosition),
    feePercent: percentOfRatio(instrument.feeRatio),
    ...carryView(instrument.carry),
    spreadPercent: percentOfRatio(instrument.spreadRatio),
    exposureGroups: instrument.exposureGroups,
    session: instrument.session.id,
    isBlocked: instrument.blocked,
    isRetired: instrument.retired === true,
  };
}

function minPositionView(
  min: MinPosition,
): Pick<OperatorInstrument, "leastPositionUsd" | "leastPositionLots"> {
  return min.kind === "value"
    ? { leastPositionUsd: dollars(min.value), leastPositionLots: null }
    : { leastPositionUsd: null, leastPositionLots: lots(min.quantity) };
}

function carryView(carry: CarryModel): Pick<OperatorInstrument, "carryKind" | "carryPercent"> {
  return carry.kind === "none"
    ? { carryKind: "none", carryPercent: 0 }
    : {
        carryKind: carry.kind,
        carryPercent: carry.rate === null ? null : percentOfRatio(carry.rate),
      };
}
