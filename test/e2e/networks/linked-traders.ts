import { accountId } from "@propgate/core";
import { type Harness, openHarness } from "../../../packages/server/src/testing/harness.ts";
import { createOperatorClient } from "../../../packages/server/src/testing/operator-client.ts";
import { type StandInProcess, startStandInProcess } from "../../stand-in-process.ts";
import type { PairIds, Trader, TradersOfNetwork } from "./network-case.ts";

const PAIRS: PairIds = { btc: "BTCUSDC", eth: "ETHUSDC", outsideClass: "EURUSD" };
/** After this time a reading is not fresh, and the next read requests another one from the validator. */
const FRESH_MS = 10_001;

/** A service that is connected to the stand-in for a validator, which is a process of its own. */
export interface LinkedTraders extends TradersOfNetwork {
  readonly service: Harness;
  readonly standIn: StandInProcess;
  /** The body of every answer to a trader. */
  readonly answers: readonly string[];
}

export async function openLinkedTraders(): Promise<LinkedTraders> {
  const standIn = await startStandInProcess();
  const { validatorUrl, gatewayUrl, keys, entity } = standIn;
  const service = await openHarness({
    vanta: {
      validator: { url: validatorUrl, key: keys.validator },
      gateway: { url: gatewayUrl, key: keys.gateway },
      entity,
    },
  });
  const answers: string[] = [];
  return {
    service,
    standIn,
    answers,
    async open(options) {
      const trader = await newTrader(service, standIn, options);
      return {
        ...trader,
        async call(path, sent) {
          const reply = await trader.call(path, sent);
          answers.push(reply.text);
          return reply;
        },
      };
    },
    async close() {
      await service.close();
      await standIn.stop();
    },
  };
}

async function newTrader(
  service: Harness,
  { control }: StandInProcess,
  { cooldownMs = 0 }: { readonly cooldownMs?: number },
): Promise<Trader> {
  await control.setCooldown(cooldownMs);
  await control.setPrices({
    [PAIRS.btc]: { bid: 50_000, ask: 50_000 },
    [PAIRS.eth]: { bid: 2_500, ask: 2_500 },
    [PAIRS.outsideClass]: { bid: 1.1, ask: 1.1 },
  });
  const { hotkey } = await control.addSubaccount({ criteria: "static" });
  const linked = await createOperatorClient(service).data("POST", "/accounts/link", {
    subaccount: hotkey,
    ownerId: "owner-1",
  });
  const signer = await service.newKey({ accountId: accountId(String(linked.accountId)) });
  const later = (): Promise<void> => service.pass(FRESH_MS);
  return {
    network: "vanta",
    pairs: PAIRS,
    async call(path, options = {}) {
      // A reading counts as later than an order only when the clock has moved.
      await service.time.pass(2);
      return service.call(path, { ...options, signer });
    },
    async quote(pair, bid, ask) {
      await control.setPrices({ [pair]: { bid, ask } });
      await later();
    },
    async eliminate() {
      await control.eliminate(hotkey, {
        reason: "FAILED_CHALLENGE_PERIOD_STATIC_DRAWDOWN",
        dd: 5.2,
      });
      await later();
    },
  };
}
