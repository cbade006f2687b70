import { accountId } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness, START_MS } from "../../testing/harness.ts";
import { madeCatalogue, madeInstrument } from "../../testing/made-instrument.ts";
import { createOperatorClient, type OperatorClient } from "../../testing/operator-client.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The midnight at which the first Tuesday begins: the service of the tests starts on a Monday at noon. */
const TUESDAY = START_MS + DAY_MS / 2;
const MONDAY = TUESDAY + 6 * DAY_MS;

/** An hour whose funding is charged only after the test. */
const FUNDED_HOUR = MONDAY + 10 * DAY_MS;

const MOMENTS = [
  ["in the last millisecond of a day", TUESDAY - 1],
  ["at midnight", TUESDAY],
  ["in the last millisecond of a week", MONDAY - 1],
  ["at Monday midnight", MONDAY],
] as const;

let service: Harness;
let operator: OperatorClient;

beforeAll(async () => {
  const perp = madeInstrument("BTCPERP", { carry: { kind: "everyHour", rate: null } });
  const pairs = [madeInstrument("BTCUSD"), madeInstrument("EURUSD", { assetClass: "forex" }), perp];
  service = await openHarness({ instruments: madeCatalogue(...pairs) });
  operator = createOperatorClient(service);
  return () => service.close();
});

interface Act {
  readonly method: "POST" | "DELETE";
  readonly path: string;
  readonly body?: object;
}

const onAccount = (id: string, act: string, body: object): Act => ({
  method: "POST",
  path: `/accounts/${id}/${act}`,
  body,
});

const newAccount = async (provisioned = true): Promise<string> =>
  String((await operator.data("POST", "/accounts", { size: 100_000, provisioned })).accountId);

/** Opens an account that has an open position, in its challenge or funded. */
async function holder(phase: "challenge" | "funded"): Promise<string> {
  const id = await newAccount();
  if (phase === "funded") {
    await operator.data("POST", `/accounts/${id}/promote`, { phase: "challenge" });
  }
  const signer = await service.newKey({ accountId: accountId(id) });
  await service.quote("BTCUSD", 50_000, 50_000);
  const trade = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" };
  expect((await service.order({ ...trade, quantity: 0.1 }, { signer })).status).toBe(200);
  return id;
}

/** Every act on an account, on payments, rates and prices, with the status that its repetition gets. */
const ACTS: readonly (readonly [string, number, () => Promise<Act>])[] = [
  ["provision", 409, async () => onAccount(await newAccount(false), "provision", {})],
  [
    "promote",
    409,
    async () => onAccount(await holder("challenge"), "promote", { phase: "challenge" }),
  ],
  [
    "offer-pro in the challenge",
    409,
    async () => onAccount(await holder("challenge"), "offer-pro", { proAccountSize: 200_000 }),
  ],
  [
    "offer-pro of a funded account",
    409,
    async () => onAccount(await holder("funded"), "offer-pro", { proAccountSize: 200_000 }),
  ],
  ["eliminate", 409, async () => onAccount(await holder("funded"), "eliminate", { reason: "x" })],
  ["close", 409, async () => onAccount(await holder("funded"), "close", {})],
  [
    "close with forfeit",
    409,
    async () => onAccount(await holder("funded"), "close", { forfeit: true }),
  ],
  [
    "set a rate",
    200,
    async () => ({
      method: "POST",
      path: "/funding",
      body: { pair: "BTCPERP", atMs: FUNDED_HOUR, rate: 0.0001 },
    }),
  ],
  [
    "withdraw a rate",
    404,
    async () => {
      const body = { pair: "BTCPERP", atMs: FUNDED_HOUR + HOUR_MS, rate: 0.0001 };
      await operator.data("POST", "/funding", body);
      return { method: "DELETE", path: `/funding/BTCPERP?atMs=${body.atMs}` };
    },
  ],
  [
    "halt with what was seen",
    409,
    async () => {
      const { version } = await operator.data("POST", "/prices/EURUSD/auto", {});
      return { method: "POST", path: "/prices/EURUSD/halt", body: { reason: "x", version } };
    },
  ],
];

describe.each(MOMENTS)("an operator's act %s", (_, atMs) => {
  const prepared = new Map<string, Act>();

  beforeAll(async () => {
    for (const [name, , prepare] of ACTS) prepared.set(name, await prepare());
    // No due work has run, so the acts themselves end the days.
    await service.time.pass(atMs - service.time.clock.now());
    await service.quote("BTCUSD", 51_000, 51_000);
  });

  test.each(ACTS)(
    "an operator's act that is sent twice together is done once: %s, then %i [D13.phaseSeen] [D13.closing] [D13.fundingBounds]",
    async (name, repeated) => {
      const act = prepared.get(name);
      if (act === undefined) throw new Error("every act is prepared");
      const send = () => operator.call(act.method, act.path, { body: act.body });
      const answers = await Promise.all([send(), send()]);
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
        200,
        repeated,
      ]);
      expect((await send()).status).toBe(repeated);
    },
  );

  test("an operator's act leaves journals whose chains hold and whose data is what a rebuild gives", async () => {
    await service.pass(0);
    expect(await operator.data("POST", "/journal/verify", {})).toMatchObject({ broken: [] });
    expect(await operator.data("POST", "/journal/rebuild", {})).toMatchObject({ different: [] });
  });
});
