import type { OperatorInstrument } from "@propgate/contract";
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
import { ASSET_CLASS_WORDS, gridView, percentOf, sessionHours } from "@propgate/wire";
import { fine } from "../json/json-reply.ts";
import type { Handle } from "./operator-reply.ts";

/** Lists the catalogue, and each pair's market now. */
export const listInstruments: Handle<"instruments.list"> = async ({ services, clock }) => {
  const now = clock.now();
  const { instruments, quotes } = services.market;
  const hours = sessionHours(now);
  const items = [...instruments.values()].map((instrument) => ({
    ...termsView(instrument),
    ...hours(instrument.session),
    ...quoteView(instrument, quotes.get(instrument.id) ?? null, now),
  }));
  return fine({ items });
};

function quoteView(
  instrument: Instrument,
  quote: Quote | null,
  now: UnixMs,
): Pick<OperatorInstrument, "quote" | "isStale"> {
  if (quote === null) return { quote: null, isStale: true };
  const { bid, ask, atMs } = quote;
  return { quote: { bid, ask, atMs }, isStale: !isFresh(quote, instrument, now) };
}

function termsView(
  instrument: Instrument,
): Omit<OperatorInstrument, "isOpen" | "changesAtMs" | "quote" | "isStale"> {
  const { id, display, assetClass, base, lotSize, tick, leverageCaps, staleAfterMs } = instrument;
  return {
    pair: id,
    display,
    aliases: instrument.aliases,
    priceStep: instrument.priceStep,
    base,
    lotSize,
    tick,
    leverageCaps,
    staleAfterMs,
    assetClass: ASSET_CLASS_WORDS[assetClass],
    quoteCurrency: instrument.quote,
    ...gridView(instrument),
    leastPosition: minPositionView(instrument.leastPosition),
    feePercent: percentOf(instrument.feeRatio),
    carry: carryView(instrument.carry),
    spreadPercent: percentOf(instrument.spreadRatio),
    exposureGroups: instrument.exposureGroups,
    session: instrument.session.id,
    isBlocked: instrument.blocked,
    isRetired: instrument.retired === true,
  };
}

function minPositionView(min: MinPosition): OperatorInstrument["leastPosition"] {
  return min.kind === "value" ? { usd: dollars(min.value) } : { lots: lots(min.quantity) };
}

function carryView(carry: CarryModel): OperatorInstrument["carry"] {
  return carry.kind === "none"
    ? { kind: "none", percent: 0 }
    : { kind: carry.kind, percent: carry.rate === null ? null : percentOf(carry.rate) };
}
