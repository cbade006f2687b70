import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness, START_MS } from "../../testing/harness.ts";
import { madeCatalogue, madeInstrument } from "../../testing/made-instrument.ts";
import { createOperatorClient, type OperatorClient } from "../../testing/operator-client.ts";
import { SHARE_CATALOGUE } from "../../testing/share-market.ts";

const share = (id: string) => madeInstrument(id, { assetClass: "equities" });

let service: Harness;
let operator: OperatorClient;

beforeAll(async () => {
  const own = { ...share("gBRK_B"), display: "gBRK.B" };
  const instruments = new Map([
    ...SHARE_CATALOGUE,
    ...madeCatalogue(share("MSFT"), share("TSLA"), own),
  ]);
  service = await openHarness({ instruments });
  operator = createOperatorClient(service);
  return () => service.close();
});

const PATH = "/corporate-actions";
/** The time of the announced splits. No test lets that much time pass, so they stay announced. */
const MOMENT = START_MS + 3_600_000;
const SPLIT = { pair: "AAPL", kind: "split", newShares: 4, oldShares: 1, atMs: MOMENT };

describe("corporate actions over the operator's interface [D11.announce]", () => {
  test.each([
    [{ ...SPLIT, newShares: 1 }, "newShares: must differ from oldShares"],
    [{ ...SPLIT, newShares: 0 }, "newShares: must be a whole number from 1 to 10000"],
    [{ ...SPLIT, oldShares: 1e9 }, "oldShares: must be a whole number from 1 to 10000"],
    [{ ...SPLIT, newShares: 1.5 }, "newShares: must be a whole number from 1 to 10000"],
    [{ ...SPLIT, oldShares: undefined }, "oldShares: a split needs it"],
    [{ ...SPLIT, amount: 1 }, "amount: a split has none"],
    [{ ...SPLIT, kind: "dividend" }, "amount: a dividend needs it"],
    [{ ...SPLIT, kind: "dividend", amount: 1 }, "newShares: a dividend has none"],
    [
      { pair: "AAPL", kind: "dividend", amount: -1, atMs: MOMENT },
      "amount: must be a number above 0",
    ],
    [{ ...SPLIT, kind: "merger" }, "kind: must be one of split, dividend"],
    [{ ...SPLIT, pair: "NOSUCH" }, "pair: NOSUCH is not in the catalogue"],
    [
      { ...SPLIT, pair: "BTCUSD" },
      "pair: BTCUSD is not an equity; only equities have splits and dividends",
    ],
    [{ ...SPLIT, atMs: 1.5 }, "atMs: must be whole milliseconds"],
    [{ ...SPLIT, again: "yes" }, "again: must be true or false"],
    [
      { pair: "AAPL", kind: "dividend", amount: 1, atMs: MOMENT, again: true },
      "again: a dividend has none",
    ],
  ])("%j is refused with its field", async (body, error) => {
    expect(await operator.refusal("POST", PATH, body)).toEqual([400, error]);
  });

  test.each(["gBRK_B", "GBRK.B"])("the pair is found by the name %s [D1.pairs]", async (pair) => {
    const announced = await operator.data("POST", PATH, { ...SPLIT, pair });
    expect(announced).toMatchObject({ pair: "gBRK_B", status: "announced" });
    await operator.data("DELETE", `${PATH}/${String(announced.id)}`);
  });

  test("one is announced, listed, cancelled and written in the audit", async () => {
    const split = { ...SPLIT, pair: "MSFT" };
    const announced = await operator.data("POST", PATH, split);
    expect(announced).toMatchObject({
      pair: "MSFT",
      kind: "split",
      newShares: 4,
      oldShares: 1,
      amount: null,
      atMs: MOMENT,
      status: "announced",
      endedAtMs: null,
    });
    const { items } = await operator.data("GET", PATH);
    expect((items as { pair: string }[]).filter(({ pair }) => pair === "MSFT")).toEqual([
      announced,
    ]);
    const [status, error] = await operator.refusal("POST", PATH, split);
    expect([status, String(error).slice(0, 28)]).toEqual([400, "atMs: MSFT has a split at 20"]);
    const cancelled = await operator.data("DELETE", `${PATH}/${String(announced.id)}`);
    expect(cancelled).toMatchObject({ status: "cancelled", endedAtMs: service.time.clock.now() });
    expect(await operator.refusal("DELETE", `${PATH}/${String(announced.id)}`)).toEqual([
      409,
      "The action is cancelled",
    ]);
    expect(await operator.refusal("DELETE", `${PATH}/nonsense`)).toEqual([
      404,
      "Corporate action not found",
    ]);
    const { items: lines } = await operator.data("GET", "/audit?deed=corporateActions.announce");
    expect(lines).toContainEqual(
      expect.objectContaining({
        subject: "MSFT",
        detail: "split 4:1 at 2026-01-05T13:00:00.000Z",
        succeeded: true,
      }),
    );
  });

  test("a second split within seven days is 409 without `again` [D13.splitAgain]", async () => {
    const first = await operator.data("POST", PATH, { ...SPLIT, pair: "TSLA" });
    const second = { ...SPLIT, pair: "TSLA", atMs: MOMENT + 7_000 };
    const text = `again: must be true for a second split within seven days; TSLA has one of 4:1 at 2026-01-05T13:00:00.000Z (${String(first.id)})`;
    expect(await operator.refusal("POST", PATH, second)).toEqual([409, text]);
    expect(await operator.refusal("POST", PATH, { ...second, again: false })).toEqual([409, text]);
    expect(await operator.data("POST", PATH, { ...second, again: true })).toMatchObject({
      status: "announced",
    });
  });

  test("a signed client sees the position of the new scale, and its order waits for a new price [D11.scale]", async () => {
    const { signer } = service;
    await service.quote("AAPL", 200, 200);
    const trade = {
      execution_type: "MARKET",
      trade_pair: "AAPL",
      order_type: "LONG",
      quantity: 10,
    };
    expect((await service.order(trade, { signer })).status).toBe(200);
    await operator.data("POST", PATH, { ...SPLIT, atMs: START_MS + 60_000 });
    await service.time.pass(60_000);
    const late = await service.order({ ...trade, quantity: 1 }, { signer });
    expect([late.status, JSON.parse(late.text).error]).toEqual([
      400,
      expect.stringMatching(/no fresh quote/i),
    ]);
    await service.quote("AAPL", 50, 50);
    expect((await service.order({ ...trade, quantity: 1 }, { signer })).status).toBe(200);
    const { data } = (await service.get("positions", { signer })).json() as {
      data: readonly { netQuantity: number; averageEntryPrice: number; unrealizedPnl: number }[];
    };
    expect(data).toMatchObject([{ netQuantity: 41, averageEntryPrice: 50, unrealizedPnl: 0 }]);
  });
});
