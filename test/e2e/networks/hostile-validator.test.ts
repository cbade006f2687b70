/** Answers of a validator that is broken or hostile, through the whole service. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { createOperatorClient } from "../../../packages/server/src/testing/operator-client.ts";
import type { Fault } from "../../../packages/stand-in/src/index.ts";
import { type LinkedTraders, openLinkedTraders } from "./linked-traders.ts";
import { expectRefused, marketTrade, readEndpoint, type Trader } from "./network-case.ts";

const ACCOUNT = "/api/v1/trading/account";
const UNREACHABLE =
  "Account snapshot temporarily unavailable (Vanta validator unreachable); retry shortly";
/** After this time no reading counts as recent any more, and no pause of calls to a failing host lasts any longer. */
const FORGOTTEN_MS = 120_000;
const STALE_MS = 15_000;
const TRAP = "http://trap";

const ANSWERS: readonly (readonly [string, Fault])[] = [
  ["a cut connection", { kind: "cut", when: "after" }],
  ["half a body", { kind: "halfBody" }],
  ["a 500", { kind: "error500", when: "before" }],
  ["a body without an end", { kind: "endlessBody" }],
  ["a compressed body", { kind: "compressed" }],
  ["a compressed body of 200 MB", { kind: "compressed", bytes: 200_000_000 }],
  ["a redirect", { kind: "redirect", location: TRAP }],
  ["invalid JSON", { kind: "invalidJson" }],
  ["a page of HTML", { kind: "answer", when: "after", status: 200, body: "<html>" }],
  ["a duplicate key", { kind: "duplicateKey", key: "balance" }],
  ["NaN", { kind: "number", key: "balance", text: "NaN" }],
  ["a number of 400 digits", { kind: "number", key: "balance", text: "9".repeat(400) }],
  [
    "100,000 nested lists",
    { kind: "answer", when: "after", status: 200, body: "[".repeat(100_000) },
  ],
  ["another subaccount", { kind: "otherSubaccount", hotkey: "5StandIn_9999" }],
  ["another entity's subaccount", { kind: "otherSubaccount", hotkey: "5Other_0" }],
];

let linked: LinkedTraders;
let redirects = 0;
const trap = createServer((_, response) => {
  redirects += 1;
  response.end("{}");
});

beforeAll(async () => {
  await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve));
  linked = await openLinkedTraders();
  return async () => {
    await linked.close();
    trap.close();
  };
});

afterEach(heal);

/** Makes every dashboard answer with a fault from here on. */
async function spoilDashboard(fault: Fault): Promise<void> {
  const { port } = trap.address() as AddressInfo;
  const location = `http://127.0.0.1:${port}/`;
  const real = fault.kind === "redirect" ? { ...fault, location } : fault;
  await linked.standIn.control.addFault({ call: "dashboard", fault: real });
}

async function heal(): Promise<void> {
  await linked.standIn.control.clearFaults();
  await linked.service.pass(FORGOTTEN_MS);
}

async function expectUnreachable(trader: Trader): Promise<void> {
  const reply = await trader.call(ACCOUNT);
  expect([reply.status, reply.json()]).toEqual([503, { error: UNREACHABLE }]);
}

describe("a validator that answers a read wrongly", () => {
  test.each(ANSWERS)(
    "%s is no reading: 503, and the next good answer is read",
    async (_, fault) => {
      const trader = await linked.open({});
      await spoilDashboard(fault);
      await expectUnreachable(trader);
      await heal();
      expect(await readEndpoint(trader, "account")).toMatchObject({
        account: { currentBalance: 100_000 },
        meta: { stale: false },
      });
      expect(redirects).toBe(0);
    },
  );

  test("a recent reading is answered as stale, and after a minute no longer", async () => {
    const trader = await linked.open({});
    await readEndpoint(trader, "account");
    await linked.service.pass(STALE_MS);
    await spoilDashboard({ kind: "error500", when: "before" });
    expect(await readEndpoint(trader, "account")).toMatchObject({
      account: { currentBalance: 100_000 },
      meta: { stale: true },
    });
    await linked.service.pass(FORGOTTEN_MS);
    await expectUnreachable(trader);
    const trades = await trader.call("/api/v1/trading/trades");
    expect([trades.status, trades.text]).toEqual([
      502,
      expect.stringMatching(/^\{"error":".+"\}$/),
    ]);
    await heal();
    await readEndpoint(trader, "account");
  });

  test("a subaccount that is eliminated while its order arrives refuses the order", async () => {
    const trader = await linked.open({});
    await linked.standIn.control.addFault({
      call: "submit",
      fault: { kind: "eliminate", when: "before" },
      times: 1,
    });
    const order = marketTrade(trader.pairs.btc, "LONG", { quantity: 0.1 });
    await expectRefused(trader, order, "eliminated");
    expect(await readEndpoint(trader, "account")).toMatchObject({
      evaluation: { isEliminated: true },
      elimination: { reason: "FAILED_CHALLENGE_PERIOD_INTRADAY_DRAWDOWN" },
    });
  });
});

describe("linking", () => {
  test.each([
    ["5StandIn_99999", "unknown"],
    ["5Other_0", "of another entity"],
    ["5StandIn_-1", "no id"],
    ["5StandIn_0_0", "no id"],
    ["../../control/submissions", "no id"],
  ])("a subaccount %s, which is %s, is refused by its field", async (subaccount) => {
    const [status, error] = await createOperatorClient(linked.service).refusal(
      "POST",
      "/accounts/link",
      {
        subaccount,
        ownerId: "owner-1",
      },
    );
    expect([status, error]).toEqual([400, expect.stringMatching(/^subaccount: /)]);
  });

  test("a subaccount is linked once, also when its account was closed", async () => {
    const { hotkey: subaccount } = await linked.standIn.control.addSubaccount({});
    const operator = createOperatorClient(linked.service);
    const link = { subaccount, ownerId: "owner-1" };
    const { accountId } = await operator.data("POST", "/accounts/link", link);
    const [status] = await operator.refusal("POST", "/accounts/link", link);
    expect(status).toBe(400);
    await operator.data("POST", `/accounts/${String(accountId)}/close`);
    expect((await operator.refusal("POST", "/accounts/link", link))[0]).toBe(400);
  });
});

test("no answer and no line of the log has a key or an address of the validator", async () => {
  const { standIn, service, answers } = linked;
  const secrets = [
    standIn.keys.validator,
    standIn.keys.gateway,
    new URL(standIn.validatorUrl).host,
    new URL(standIn.gatewayUrl).host,
  ];
  const said = [...answers, ...service.logged];
  expect(answers.length).toBeGreaterThan(30);
  expect(service.logged.length).toBeGreaterThan(10);
  for (const secret of secrets) expect(said.filter((text) => text.includes(secret))).toEqual([]);
});
