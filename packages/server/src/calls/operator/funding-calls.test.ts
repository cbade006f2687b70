import { pairId } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness, START_MS } from "../../testing/harness.ts";
import { madeCatalogue, madeInstrument } from "../../testing/made-instrument.ts";
import { createOperatorClient, type OperatorClient } from "../../testing/operator-client.ts";

const HOUR = START_MS + 3_600_000;
let service: Harness;
let operator: OperatorClient;

beforeAll(async () => {
  const fromSource = { carry: { kind: "everyHour", rate: null } } as const;
  const perp = madeInstrument("BTCPERP", fromSource);
  const small = madeInstrument("kPEPEUSDC", {
    ...fromSource,
    display: "kPEPE/USDC",
    aliases: ["kPEPEUSD"],
  });
  service = await openHarness({
    instruments: madeCatalogue(madeInstrument("BTCUSD"), perp, small),
  });
  operator = createOperatorClient(service);
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
  expect((await operator.data("GET", "/funding")).items).toContainEqual(set);
  // The hour for which the rate was set has not begun yet.
  expect(await fundingOf()).toMatchObject({ percent: null, hourMs: null });
  await service.pass(3_600_000);
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
});

describe("the bounds of an operator's rate [D13.fundingBounds]", () => {
  const post = (body: object) =>
    operator.refusal("POST", "/funding", { pair: "BTCPERP", rate: 0.0001, ...body });
  const late = [409, "atMs: the hour is charged, or is about to be"];

  test("an hour that is charged takes none", async () => {
    const atMs = HOUR - 5 * 3_600_000;
    expect(await post({ atMs })).toEqual(late);
    expect(await operator.refusal("DELETE", `/funding/BTCPERP?atMs=${atMs}`)).toEqual(late);
  });

  test.each([0.00751, -0.5])("%j an hour needs a word [D13.largeRate]", async (rate) => {
    const atMs = service.time.clock.now() + 86_400_000;
    const percent = Number((rate * 100).toPrecision(12));
    expect(await post({ atMs, rate })).toEqual([
      409,
      `rate: ${percent} % an hour is beyond 0.75 %; send large if it is meant`,
    ]);
    expect((await post({ atMs, rate, large: true }))[0]).toBe(200);
    expect((await post({ atMs, rate: Math.sign(rate) * 0.0075 }))[0]).toBe(200);
  });

  test("a rate is replaced, withdrawn once, and its hour is then without one", async () => {
    const atMs = HOUR + 5 * 3_600_000;
    const body = { pair: "BTCPERP", atMs, rate: 0.0001 };
    await operator.data("POST", "/funding", body);
    const replaced = await operator.data("POST", "/funding", { ...body, rate: 0.0002 });
    const path = `/funding/btcperp?atMs=${atMs}`;
    expect(await operator.data("DELETE", path)).toEqual(replaced);
    expect(await operator.refusal("DELETE", path)).toEqual([
      404,
      "No operator set a rate of that hour",
    ]);
    const { items } = await operator.data("GET", "/funding");
    expect(items).not.toContainEqual(expect.objectContaining({ atMs }));
  });

  test("a pair is found by its id, its display form or an alias, in any case [D1.pairs]", async () => {
    const atMs = HOUR + 7 * 3_600_000;
    for (const pair of ["kPEPEUSDC", "KPEPE/USDC", "kpepeusd"]) {
      const set = await operator.data("POST", "/funding", { pair, atMs, rate: 0.0001 });
      expect(set).toMatchObject({ pair: "kPEPEUSDC", atMs });
    }
    const path = `/funding/kPEPEUSDC?atMs=${atMs}`;
    expect(await operator.data("DELETE", path)).toMatchObject({ pair: "kPEPEUSDC", atMs });
  });

  test.each([
    ["/funding/BTCPERP", 400, "atMs: is required"],
    ["/funding/BTCPERP?atMs=now", 400, "atMs: must be whole milliseconds"],
    [`/funding/BTCPERP?atMs=${HOUR + 1}`, 400, "atMs: must be a whole hour"],
    [`/funding/NOSUCH?atMs=${HOUR}`, 400, "pair: NOSUCH is not in the catalogue"],
    [
      `/funding/BTCUSD?atMs=${HOUR}`,
      400,
      "pair: the carry of BTCUSD does not come from the source",
    ],
  ])("DELETE %s is refused: %i", async (path, status, error) => {
    expect(await operator.refusal("DELETE", path)).toEqual([status, error]);
  });
});
