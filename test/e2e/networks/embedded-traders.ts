import { leverage, quantity, ratio, roundUsd } from "@propgate/core";
import { TEST_TERMS } from "../../../packages/server/src/testing/counting-decider.ts";
import { type Harness, openHarness } from "../../../packages/server/src/testing/harness.ts";
import {
  madeCatalogue,
  madeInstrument,
} from "../../../packages/server/src/testing/made-instrument.ts";
import type { PairIds, Trader, TradersOfNetwork } from "./network-case.ts";

const PAIRS: PairIds = { btc: "BTCUSD", eth: "ETHUSD", outsideClass: "EURUSD" };
const CAPS = { tier1: 1.5, tier2: 1.5, tier3: 1.5, pro: 10 } as const;
const CRYPTO = {
  gridStep: quantity(1),
  leastPosition: { kind: "value", value: roundUsd(10) },
  feeRatio: ratio(0.0003),
  leverageCaps: {
    tier1: leverage(CAPS.tier1),
    tier2: leverage(CAPS.tier2),
    tier3: leverage(CAPS.tier3),
    pro: leverage(CAPS.pro),
  },
} as const;

/** Opens a service on its embedded network. */
export async function openEmbeddedTraders(): Promise<TradersOfNetwork> {
  const service = await openHarness({
    instruments: madeCatalogue(
      madeInstrument("BTCUSD", CRYPTO),
      madeInstrument("ETHUSD", CRYPTO),
      madeInstrument("EURUSD", { assetClass: "forex", lotSize: 100_000 }),
    ),
  });
  return { open: (options) => newTrader(service, options), close: () => service.close() };
}

async function newTrader(
  service: Harness,
  { cooldownMs = 0 }: { readonly cooldownMs?: number },
): Promise<Trader> {
  const terms = { ...TEST_TERMS, assetClass: "crypto", cooldownMs } as const;
  const accountId = await service.newAccount({ terms });
  const signer = await service.newKey({ accountId });
  await service.quote(PAIRS.btc, 50_000, 50_000);
  await service.quote(PAIRS.eth, 2_500, 2_500);
  await service.quote(PAIRS.outsideClass, 1.1, 1.1);
  return {
    network: "embedded",
    pairs: PAIRS,
    call: (path, options = {}) => service.call(path, { ...options, signer }),
    quote: (pair, bid, ask) => service.quote(pair, bid, ask),
    eliminate: async () => {
      await service.accounts.eliminate(accountId, "by the operator");
    },
  };
}
