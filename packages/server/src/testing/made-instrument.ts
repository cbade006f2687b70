import {
  type AssetClass,
  type Instrument,
  type Instruments,
  leverage,
  type PairId,
  pairId,
  price,
  quantity,
  ratio,
} from "@propgate/core";

/** An instrument for tests. Unless given, it is always open, and has five decimals and a spread of 0.02 %. */
export function madeInstrument(id: string, over: Partial<Instrument> = {}): Instrument {
  const [base, quote] = id.length === 6 ? [id.slice(0, 3), id.slice(3)] : [id, "USD"];
  const assetClass: AssetClass = "crypto";
  return {
    id: pairId(id),
    display: id.length === 6 ? `${base}/${quote}` : id,
    aliases: [],
    assetClass,
    base,
    quote,
    quoteIsUsd: false,
    lotSize: 1,
    gridStep: quantity(1),
    gridStepSmallAccount: null,
    leastPosition: { kind: "quantity", quantity: quantity(1) },
    tick: price(0.00001),
    priceStep: null,
    feeRatio: ratio(0),
    carry: { kind: "none" },
    spreadRatio: ratio(0.0002),
    slippage: { kind: "none" },
    leverageCaps: {
      tier1: leverage(10),
      tier2: leverage(10),
      tier3: leverage(10),
      pro: leverage(10),
    },
    exposureGroups: [],
    session: {
      id: "always",
      zone: "UTC",
      weekly: [{ fromDay: 0, fromMinute: 0, toDay: 6, toMinute: 1440 }],
      holidays: new Set(),
      earlyCloses: new Map(),
    },
    staleAfterMs: 60_000,
    blocked: false,
    ...over,
  };
}

export function madeCatalogue(...instruments: readonly Instrument[]): Instruments {
  return new Map<PairId, Instrument>(instruments.map((instrument) => [instrument.id, instrument]));
}
