import { accountId } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../../testing/harness.ts";
import { createOperatorClient, type OperatorClient } from "../../testing/operator-client.ts";

const WEEK_MS = 7 * 86_400_000;
const MONDAY = Date.UTC(2026, 0, 5);
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

let service: Harness;
let operator: OperatorClient;

beforeAll(async () => {
  service = await openHarness();
  operator = createOperatorClient(service);
  return () => service.close();
});

const open = async (body: object = { size: 100_000 }): Promise<string> =>
  String((await operator.data("POST", "/accounts", body)).accountId);
const lineOf = async (id: string): Promise<unknown> => {
  const { items } = await operator.data("GET", "/accounts");
  return (items as { accountId: string }[]).find((item) => item.accountId === id);
};

const promote = (at: string, phase: string) => operator.data("POST", `${at}/promote`, { phase });

describe("an operator's way from the challenge to the pro track", () => {
  test("an account is promoted, offered a pro account, and promoted twice more [D7.promotion]", async () => {
    const id = await open();
    const at = `/accounts/${id}`;
    expect(await promote(at, "challenge")).toEqual({ accountId: id });
    expect(await lineOf(id)).toMatchObject({ phase: "funded", size: 100_000 });
    expect(await operator.refusal("POST", `${at}/promote`, { phase: "funded" })).toEqual([
      409,
      "Nothing comes after the phase funded by itself",
    ]);
    await operator.data("POST", `${at}/offer-pro`, { proAccountSize: 200_000, phase: "funded" });
    expect(await lineOf(id)).toMatchObject({ phase: "transition", programId: "classic" });
    await promote(at, "transition");
    expect(await lineOf(id)).toMatchObject({
      phase: "proChallenge",
      size: 200_000,
      programId: "pro",
      programVersion: 2,
    });
    await promote(at, "proChallenge");
    expect(await lineOf(id)).toMatchObject({ phase: "proFunded" });
    expect(await operator.refusal("POST", `${at}/promote`, { phase: "proFunded" })).toEqual([
      409,
      "Nothing comes after the phase proFunded by itself",
    ]);
  });

  test("an account that is offered a pro account in the challenge starts it immediately, and is offered one once [S2.1.1.phase]", async () => {
    const id = await open();
    const offer = (body: object) => operator.refusal("POST", `/accounts/${id}/offer-pro`, body);
    await operator.data("POST", `/accounts/${id}/offer-pro`, {
      proAccountSize: 250_000,
      program: "pro",
    });
    expect(await lineOf(id)).toMatchObject({ phase: "proChallenge", size: 250_000 });
    expect(await offer({ proAccountSize: 250_000 })).toEqual([
      409,
      "The account is on the pro track already",
    ]);
  });

  test("what no program offers is refused by its field [D10.proOffer]", async () => {
    const id = await open();
    const offer = (body: object) => operator.refusal("POST", `/accounts/${id}/offer-pro`, body);
    expect(await offer({ proAccountSize: 5_000 })).toEqual([
      400,
      "proAccountSize: must be whole dollars from 10000 to 1000000, not 5000",
    ]);
    expect(await offer({ proAccountSize: 200_000, program: "gold" })).toEqual([
      400,
      "program: must be one of pro",
    ]);
    expect(await offer({ proAccountSize: 199_999 })).toEqual([
      400,
      "proAccountSize: must be at least 200000, twice the standard size, not 199999",
    ]);
    const unknown = `/accounts/${UNKNOWN}/offer-pro`;
    expect(await operator.refusal("POST", unknown, { proAccountSize: 200_000 })).toEqual([
      404,
      "Account not found",
    ]);
  });

  test.each([
    ["eliminate", { reason: "Rules" }, "The account is eliminated"],
    ["close", {}, "The account is closed"],
  ])("an account that had to %s goes nowhere", async (deed, body, reason) => {
    const id = await open();
    await operator.data("POST", `/accounts/${id}/${deed}`, body);
    const refused = [409, reason];
    expect(
      await operator.refusal("POST", `/accounts/${id}/promote`, { phase: "challenge" }),
    ).toEqual(refused);
    const offer = { proAccountSize: 200_000 };
    expect(await operator.refusal("POST", `/accounts/${id}/offer-pro`, offer)).toEqual(refused);
  });

  test("one that is not provisioned waits", async () => {
    const id = await open({ size: 100_000, provisioned: false });
    expect(
      await operator.refusal("POST", `/accounts/${id}/promote`, { phase: "challenge" }),
    ).toEqual([409, "The account is not provisioned yet"]);
  });
});

/** These tests have a harness of their own, because they move time past the end of a week. */
describe("an operator's payouts [D7.payment] [D7.paidAmount]", () => {
  let firm: Harness;
  let desk: OperatorClient;
  let ids: readonly string[];

  beforeAll(async () => {
    firm = await openHarness();
    desk = createOperatorClient(firm);
    ids = await earnAWeek(firm, desk);
    return () => firm.close();
  });

  test("what is owed is listed over all accounts, page by page", async () => {
    const { items, next } = await desk.data("GET", "/payouts");
    expect(next).toBe(null);
    expect(items).toHaveLength(2);
    const owners = (items as { accountId: string }[]).map((item) => item.accountId);
    expect(owners.toSorted()).toEqual(ids.toSorted());
    const first = await desk.data("GET", "/payouts?limit=1");
    const rest = await desk.data("GET", `/payouts?limit=1&after=${String(first.next)}`);
    expect([...(first.items as unknown[]), ...(rest.items as unknown[])]).toEqual(items);
    expect(rest.next).toBe(null);
  });

  test("a payment is written down step by step, and once it is paid for good", async () => {
    const { id } = await earner(firm, desk);
    await firm.pass(WEEK_MS);
    const { items } = await desk.data("GET", "/payouts");
    const owed = items as { id: string; accountId: string }[];
    const payout = owed.find(({ accountId }) => accountId === id);
    const path = `/payouts/${payout?.id}`;
    expect(await desk.data("GET", path)).toEqual(payout);
    expect(payout).toMatchObject({
      amount: 969.7,
      currency: "USD",
      status: "pending",
      profitSplit: "100%",
      profitSplitPercent: 100,
      ownerId: expect.any(String),
      programId: "classic",
    });

    const begun = await desk.data("POST", path, { status: "processing", rail: "bank" });
    expect(begun).toEqual({
      ...payout,
      status: "processing",
      rail: "bank",
      requestedAtMs: firm.time.clock.now(),
    });
    const { items: processing } = await desk.data("GET", "/payouts?status=processing");
    expect(processing).toEqual([begun]);

    const wrong = { status: "paid", paidAmount: 969.72 };
    expect(await desk.refusal("POST", path, wrong)).toEqual([
      400,
      "paidAmount: must be at most a cent from 969.7",
    ]);
    expect(await desk.refusal("POST", path, { ...wrong, paidAmount: 969.705 })).toEqual([
      400,
      "paidAmount: must be whole cents",
    ]);
    for (const status of ["pending", "processing", "failed"]) {
      expect(await desk.refusal("POST", path, { status, paidAmount: 969.7 })).toEqual([
        400,
        `paidAmount: a payment that is ${status} has none; send paid`,
      ]);
    }
    const transfer = { status: "paid", reference: "wire 7", paidAmount: 969.71 };
    const paid = await desk.data("POST", path, transfer);
    expect(paid).toEqual({
      ...begun,
      ...transfer,
      paidAtMs: firm.time.clock.now(),
    });
    const owned = await desk.data("GET", `/accounts/${id}/payouts`);
    expect(owned.items).toMatchObject([{ id: payout?.id, amount: 969.7, paidAmount: 969.71 }]);
    const { items: updates } = await desk.data(
      "GET",
      `/accounts/${id}/events?after=0&types=payout.updated`,
    );
    expect(updates).toMatchObject([
      { data: { payout: { status: "processing", paidAmount: null } } },
      { data: { payout: { status: "paid", amount: 969.7, paidAmount: 969.71 } } },
    ]);
    expect(await desk.refusal("POST", path, { status: "paid" })).toEqual([
      409,
      "The payout is paid already",
    ]);
    const refused = `/audit?accountId=${id}&deed=payouts.record&succeeded=false&limit=1`;
    const { items: tried } = await desk.data("GET", refused);
    expect(tried).toMatchObject([{ subject: payout?.id, detail: "paid" }]);
    expect(await desk.data("GET", path)).toEqual(paid);
    const unpaid = "/payouts?status=pending,processing,failed";
    const { items: left, sums } = await desk.data("GET", `${unpaid}&limit=1`);
    const others = owed.filter((one) => one !== payout);
    expect(left).toEqual(others.slice(0, 1));
    expect(sums).toEqual([
      { status: "pending", count: others.length, amount: 969.7 * others.length, paidAmount: 0 },
      { status: "processing", count: 0, amount: 0, paidAmount: 0 },
      { status: "paid", count: 0, amount: 0, paidAmount: 0 },
      { status: "failed", count: 0, amount: 0, paidAmount: 0 },
    ]);
    const settled = await desk.data("GET", `/payouts?status=paid&accountId=${id}`);
    expect(settled.items).toEqual([paid]);
    expect(settled.sums).toContainEqual({
      status: "paid",
      count: 1,
      amount: 969.7,
      paidAmount: 969.71,
    });
  });

  test.each(["po_1", `po_${UNKNOWN}_1`, "%00"])("a payout %s does not exist", async (id) => {
    const missing = [404, "Payout not found"];
    expect(await desk.refusal("GET", `/payouts/${id}`)).toEqual(missing);
    expect(await desk.refusal("POST", `/payouts/${id}`, { status: "paid" })).toEqual(missing);
  });
});

/**
 * Opens two funded accounts that win 1,000 less fees each, and moves time past the end of the week. Returns their ids.
 */
async function earnAWeek(firm: Harness, desk: OperatorClient): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const _ of [1, 2]) ids.push((await earner(firm, desk)).id);
  await firm.pass(WEEK_MS);
  return ids;
}

const MARKET = { execution_type: "MARKET", trade_pair: "BTCUSD" };
const LONG = { ...MARKET, order_type: "LONG", quantity: 1 };

/** Opens a funded account that wins 1,000 less fees. */
async function earner(firm: Harness, desk: OperatorClient) {
  const opened = await desk.data("POST", "/accounts", { size: 100_000 });
  const id = accountId(String(opened.accountId));
  await desk.data("POST", `/accounts/${id}/promote`, { phase: "challenge" });
  const signer = await firm.newKey({ accountId: id });
  await firm.quote("BTCUSD", 50_000, 50_000);
  const bought = await firm.order(LONG, { signer });
  await firm.quote("BTCUSD", 51_000, 51_000);
  const sold = await firm.order({ ...MARKET, order_type: "FLAT" }, { signer });
  expect([bought.status, sold.status]).toEqual([200, 200]);
  return { id, signer };
}

describe("an operator's elimination", () => {
  test.each(["INACTIVE", " inactive ", "FAILED_FUNDED_PERIOD_EOD_DRAWDOWN"])(
    "an operator's elimination does not take the network's reason %j for its own [D13.operatorReason]",
    async (reason) => {
      const id = await open();
      expect(await operator.refusal("POST", `/accounts/${id}/eliminate`, { reason })).toEqual([
        400,
        "reason: must not be one of the network's own reasons",
      ]);
      expect(await lineOf(id)).toMatchObject({ status: "active" });
    },
  );
});

/** These tests have a harness of their own, because they move time to the end of a week. */
describe("an act on what the operator saw [D13.phaseSeen]", () => {
  const changed = (phase: string) => [
    409,
    expect.objectContaining({
      error: `The account is in the phase ${phase} now; read it again`,
      code: "phase_changed",
    }),
  ];
  let firm: Harness;
  let desk: OperatorClient;

  beforeAll(async () => {
    firm = await openHarness();
    desk = createOperatorClient(firm);
    return () => firm.close();
  });

  const refusal = async (path: string, body: object) => {
    const answer = await desk.call("POST", path, { body });
    return [answer.status, answer.body];
  };
  const inTransition = async (): Promise<string> => {
    const opened = await desk.data("POST", "/accounts", { size: 100_000 });
    const at = `/accounts/${String(opened.accountId)}`;
    await desk.data("POST", `${at}/promote`, { phase: "challenge" });
    await desk.data("POST", `${at}/offer-pro`, { proAccountSize: 200_000 });
    return at;
  };

  test("a promotion that is sent twice promotes once", async () => {
    const at = await inTransition();
    await desk.data("POST", `${at}/promote`, { phase: "transition" });
    expect(await refusal(`${at}/promote`, { phase: "transition" })).toEqual(
      changed("proChallenge"),
    );
  });

  test("a page from before a promotion neither offers, closes nor eliminates", async () => {
    const at = await inTransition();
    const phase = "funded";
    const offer = { proAccountSize: 200_000, phase };
    expect(await refusal(`${at}/offer-pro`, offer)).toEqual(changed("transition"));
    expect(await refusal(`${at}/close`, { phase })).toEqual(changed("transition"));
    expect(await refusal(`${at}/eliminate`, { reason: "Rules", phase })).toEqual(
      changed("transition"),
    );
    await desk.data("POST", `${at}/close`, { phase: "transition" });
  });

  test("the last millisecond before Monday promotes, Monday's first meets what it brought", async () => {
    const [early, late] = [await inTransition(), await inTransition()];
    const now = firm.time.clock.now();
    await firm.pass(WEEK_MS - ((now - MONDAY) % WEEK_MS) - 1);
    await desk.data("POST", `${early}/promote`, { phase: "transition" });
    await firm.pass(1);
    for (const at of [early, late]) {
      expect(await refusal(`${at}/promote`, { phase: "transition" })).toEqual(
        changed("proChallenge"),
      );
    }
  });
});

/** These tests have a harness of their own, because they move time. */
describe("an operator's closing [D13.closing]", () => {
  let firm: Harness;
  let desk: OperatorClient;

  beforeAll(async () => {
    firm = await openHarness();
    desk = createOperatorClient(firm);
    return () => firm.close();
  });

  const close = (id: string, body: object = {}) => desk.data("POST", `/accounts/${id}/close`, body);
  const untilMonday = (): number => WEEK_MS - ((firm.time.clock.now() - MONDAY) % WEEK_MS);

  test("an operator's closing closes the cycle first, and its owner reads what is owed until it is paid", async () => {
    const { id, signer } = await earner(firm, desk);
    await firm.pass(1);
    const owed = `po_${id}_${firm.time.clock.now()}`;
    const payout = { id: owed, amount: 969.7 };
    expect(await close(id)).toEqual({ accountId: id, payout, forfeited: 0 });
    expect(await desk.refusal("POST", `/accounts/${id}/close`, {})).toEqual([
      409,
      "The account is closed",
    ]);
    const read = await firm.get("payouts", { signer });
    expect(JSON.parse(read.text)).toMatchObject({
      data: {
        items: [{ id: owed, amount: 969.7, status: "pending" }],
        accrualStatus: "not_applicable",
      },
    });
    expect((await firm.get("account", { signer })).status).toBe(404);
    expect((await firm.order(LONG, { signer })).status).toBe(404);
    await desk.data("POST", `/payouts/${owed}`, { status: "paid" });
    expect((await firm.get("payouts", { signer })).text).toContain('"status":"paid"');
  });

  test("an operator's closing drops the reward with `forfeit`, and names it", async () => {
    const { id } = await earner(firm, desk);
    expect(await close(id, { forfeit: true })).toEqual({
      accountId: id,
      payout: null,
      forfeited: 969.7,
    });
    const { items } = await desk.data("GET", "/payouts");
    expect(JSON.stringify(items)).not.toContain(id);
    const lines = await desk.data("GET", `/audit?accountId=${id}&deed=accounts.close`);
    expect(lines).toMatchObject({ items: [{ detail: "forfeited 969.7 USD" }] });
  });

  test("an account without earnings has no reward", async () => {
    const opened = await desk.data("POST", "/accounts", { size: 100_000 });
    const id = String(opened.accountId);
    expect(await close(id)).toEqual({ accountId: id, payout: null, forfeited: 0 });
  });

  test("an operator's closing waits for the price of what is held, unless the reward is dropped", async () => {
    const { id, signer } = await earner(firm, desk);
    expect((await firm.order(LONG, { signer })).status).toBe(200);
    await desk.data("POST", "/prices/BTCUSD/halt", { reason: "wrong" });
    expect(await desk.refusal("POST", `/accounts/${id}/close`, {})).toEqual([
      409,
      "The payout cycle cannot be closed without a fresh price of BTCUSD. Try again later, or close the account with forfeit",
    ]);
    expect(await close(id, { forfeit: true })).toMatchObject({ payout: null, forfeited: 939.1 });
    await desk.data("POST", "/prices/BTCUSD/auto", {});
  });

  test("the week is paid once in the week's last millisecond and in Monday's first", async () => {
    const [early, late] = [await earner(firm, desk), await earner(firm, desk)];
    await firm.pass(untilMonday() - 1);
    const at = firm.time.clock.now();
    const amount = 969.7;
    expect(await close(early.id)).toMatchObject({ payout: { id: `po_${early.id}_${at}`, amount } });
    await firm.time.pass(1);
    expect(await close(late.id)).toMatchObject({
      payout: { id: `po_${late.id}_${at + 1}`, amount },
    });
  });
});
