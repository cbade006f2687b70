import type { EventsPage } from "@propgate/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../../testing/harness.ts";
import { createOperatorClient, type OperatorClient } from "../../testing/operator-client.ts";

const LIMIT = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  value: 100,
  limit_price: 40_000,
};
const LONG = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 100 };

describe("an operator's pause of keys [D13.switchSuspended]", () => {
  let service: Harness;
  let operator: OperatorClient;
  let personId = "";
  beforeEach(async () => {
    service = await openHarness({ seed: "paused switch" });
    operator = createOperatorClient(service);
    const ann = { name: "ann", role: "owner", ownerId: "owner-1" };
    personId = String((await operator.data("POST", "/people", ann)).personId);
    await service.quote("BTCUSD", 50_000, 50_000);
    for (const trade of [LONG, LIMIT]) expect((await service.order(trade)).status).toBe(200);
    return () => service.close();
  });
  const arm = (body: object) =>
    service.call("/api/v1/trading/cancel-all-after", {
      method: "POST",
      body: JSON.stringify(body),
    });
  const eventTypes = async (): Promise<readonly string[]> => {
    const page = (await service.get("events")).json() as { data: EventsPage };
    return page.data.items.map(({ type }) => type);
  };
  const positions = async (): Promise<number> =>
    ((await service.get("positions")).json() as { data: readonly unknown[] }).data.length;

  test("an operator's pause of keys suspends the switch, which runs on with its whole span, and names it with resting orders [D13.leftRunning]", async () => {
    expect((await arm({ seconds: 12, action: "flatten" })).status).toBe(200);
    const disabled = await operator.data("POST", `/people/${personId}/disable`, {
      pauseKeys: true,
    });
    expect(disabled).toMatchObject({ keys: 1, armedSwitches: 1, restingOrders: 1 });
    await service.pass(60_000);
    const enabled = await operator.data("POST", `/people/${personId}/enable`, { resumeKeys: true });
    expect(enabled).toMatchObject({ keys: 1, armedSwitches: 1, restingOrders: 1 });
    expect(await positions()).toBe(1);
    const account = (await service.get("account")).json() as { data: object };
    expect(account.data).toMatchObject({
      cancelAllAfter: { atMs: service.time.clock.now() + 12_000, action: "flatten" },
    });
    await service.quote("BTCUSD", 50_000, 50_000);
    await service.pass(12_000);
    expect(await positions()).toBe(0);
    const types = await eventTypes();
    expect(types.filter((type) => type.startsWith("switch."))).toEqual([
      "switch.armed",
      "switch.suspended",
      "switch.armed",
      "switch.fired",
    ]);
  });

  test("an operator's pause of keys is not a revocation, whose answer names the switch that stays armed", async () => {
    expect((await arm({ seconds: 60 })).status).toBe(200);
    const { keyId } = service.signer;
    expect(await operator.data("DELETE", `/keys/${keyId}`)).toEqual({
      keyId,
      armedSwitches: 1,
      restingOrders: 1,
    });
  });
});
