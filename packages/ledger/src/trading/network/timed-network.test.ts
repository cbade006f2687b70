import { beforeAll, describe, expect, test } from "vitest";
import {
  type Harness,
  NETWORK_TIMEOUT_MS,
  openHarness,
} from "../../../../server/src/testing/harness.ts";
import type { TradingNetwork } from "./port.ts";

/** A network that carries out every call and never answers. */
function silenced(network: TradingNetwork, onCall: () => void): TradingNetwork {
  const never = (carriedOut: unknown): Promise<never> =>
    new Promise((_, reject) => {
      Promise.resolve(carriedOut).then(onCall, reject);
    });
  return {
    account: (at) => never(network.account(at)),
    positions: (at) => never(network.positions(at)),
    pendingOrders: (at) => never(network.pendingOrders(at)),
    trades: (at, page) => never(network.trades(at, page)),
    payouts: (at, page) => never(network.payouts(at, page)),
    market: (...order) => never(network.market(...order)),
    preview: (...order) => never(network.preview(...order)),
    carryOut: (...order) => never(network.carryOut(...order)),
  };
}

const UNREACHABLE =
  '{"error":"Account snapshot temporarily unavailable (Propgate validator unreachable); retry shortly"}';
const UNKNOWN_FATE = "may or may not have been accepted";
const LONG = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 0.1 };

describe("a network that does not answer", () => {
  let service: Harness;
  let isSilent = false;
  let onCall: () => void = () => undefined;
  beforeAll(async () => {
    service = await openHarness({
      wrap: (network) => {
        const silent = silenced(network, () => onCall());
        return new Proxy(network, {
          get: (sound, name) => Reflect.get(isSilent ? silent : sound, name),
        });
      },
    });
    await service.quote("BTCUSD", 50_000, 50_010);
    return () => service.close();
  });

  /** The answer that the client gets. It must come at the timeout and not before. */
  async function heard(ask: () => ReturnType<Harness["get"]>) {
    isSilent = true;
    const reached = new Promise<void>((resolve) => {
      onCall = resolve;
    });
    let answered = false;
    const reply = ask().finally(() => {
      answered = true;
    });
    await reached;
    await service.time.pass(NETWORK_TIMEOUT_MS - 1);
    expect(answered).toBe(false);
    await service.time.pass(1);
    isSilent = false;
    return reply;
  }

  test.each([
    ["account", 503, UNREACHABLE],
    ["positions", 503, UNREACHABLE],
    ["orders", 503, UNREACHABLE],
    ["trades", 502, '{"error":"the trade history does not answer"}'],
    ["payouts", 503, UNREACHABLE],
  ])(
    "GET %s is a %d and no data, and then itself again [S7.R1 S7.502]",
    async (endpoint, status, text) => {
      const reply = await heard(() => service.get(endpoint));
      expect([reply.status, reply.text]).toEqual([status, text]);
      expect((await service.get(endpoint)).status).toBe(200);
    },
  );

  test("POST orders answers that the fate is unknown; a read shows the order, a replay places nothing [D5.unknownFate] [S7.R2]", async () => {
    await service.quote("BTCUSD", 50_000, 50_010);
    const reply = await heard(() => service.order(LONG, { nonce: "silent" }));
    expect([reply.status, reply.text]).toEqual([500, expect.stringContaining(UNKNOWN_FATE)]);
    expect((await service.order(LONG, { nonce: "silent" })).status).toBe(409);
    const { data } = (await service.get("positions")).json() as { data: { netQuantity: number }[] };
    expect(data.map(({ netQuantity }) => netQuantity)).toEqual([0.1]);
  });
});
