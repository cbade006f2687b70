import { pairId } from "@propgate/core";
import { beforeAll, expect, test } from "vitest";
import { type Harness, openHarness, START_MS } from "../../testing/harness.ts";
import { madeCatalogue, madeInstrument } from "../../testing/made-instrument.ts";
import { type OperatorClient, operatorClient } from "../../testing/operator-client.ts";

const HOUR = START_MS + 3_600_000;
let service: Harness;
let operator: OperatorClient;

beforeAll(async () => {
  const perp = madeInstrument("BTCPERP", { carry: { kind: "everyHour", rate: null } });
  service = await openHarness({ instruments: madeCatalogue(madeInstrument("BTCUSD"), perp) });
  operator = operatorClient(service);
  return () => service.close();
});

const fundingOf = async (): Promise<unknown> => {
  const { data } = (await service.get("instruments")).json() as {
    data: readonly { tradePair: string; funding: unknown }[];
  };
  return data.find(({ tradePair }) => tradePair === pairId("BTCPERP"))?.funding;
};

test("an operator sets the rate of an hour, and GET instruments shows it [D11.funding]", async () => {
  expect(await fundingOf()).toEqual({
    percent: null,
    hourMs: null,
    isFixed: false,
    isCostOnly: false,
  });
  const body = { pair: "btcperp", rate: -0.0001, atMs: HOUR };
  const set = await operator.data("POST", "/funding", body);
  expect(set).toMatchObject({ pair: "BTCPERP", rate: -0.0001, atMs: HOUR });
  expect(await operator.data("GET", "/funding")).toEqual({ items: [set] });
  expect(await fundingOf()).toEqual({
    percent: -0.01,
    hourMs: HOUR,
    isFixed: false,
    isCostOnly: false,
  });
  expect(await operator.refusal("POST", "/funding", { ...body, rate: 2 })).toEqual([
    400,
    "rate: must be a number from -1 to 1",
  ]);
  expect(await operator.refusal("POST", "/funding", { ...body, rate: 0.5 })).toEqual([
    400,
    "rate: the hour has another rate, and a stored rate never changes",
  ]);
});
