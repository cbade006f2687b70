import { afterEach, describe, expect, test } from "vitest";
import type { RunningSandbox } from "../start/running-service.ts";
import { startSandbox } from "../start/start-sandbox.ts";
import { createSandboxClient, type SandboxClient } from "../testing/sandbox-client.ts";

/** 2026-01-05, a Monday, 12:00 UTC, and the midnight that ends its week. */
const START = Date.UTC(2026, 0, 5, 12);
const MONDAY = Date.UTC(2026, 0, 12);
const TRADE = { execution_type: "MARKET", trade_pair: "BTCUSD" } as const;

const running = new Set<RunningSandbox>();
afterEach(async () => {
  for (const sandbox of running) await sandbox.stop();
  running.clear();
});

interface Sandbox extends SandboxClient {
  readonly accountId: string;
  /** Sends an action on the first account and returns the answer. */
  readonly act: (action: object) => Promise<readonly [number, unknown]>;
  readonly phase: () => Promise<unknown>;
}

async function open(): Promise<Sandbox> {
  const sandbox = await startSandbox({
    port: 0,
    startMs: START,
    seed: "7",
    clock: "frozen",
    dataDir: null,
    networkTimeoutMs: 15_000,
  });
  running.add(sandbox);
  const client = createSandboxClient(sandbox, () => START);
  const { accountId } = sandbox.ready;
  const act: Sandbox["act"] = async (action) => {
    const { status, body } = await client.control("POST", `/accounts/${accountId}/actions`, action);
    return [status, status === 200 ? body : (body as { error: unknown }).error];
  };
  const phase = async () => {
    const { data } = (await client.get("account")).json() as {
      data: { challenge: { bucket: string } };
    };
    return data.challenge.bucket;
  };
  return { ...client, accountId, act, phase };
}

/** The first account is funded, and wins 10,000 less fees before its first Monday. */
async function withPayout(): Promise<Sandbox & { readonly payoutId: string }> {
  const opened = await open();
  const { accountId, control, order, act } = opened;
  const price = (bid: number) => control("POST", "/quotes", [{ pair: "BTCUSD", bid, ask: bid }]);
  await act({ action: "promote" });
  await price(100_000);
  expect((await order({ ...TRADE, order_type: "LONG", quantity: 1 })).status).toBe(200);
  await price(110_000);
  expect((await order({ ...TRADE, order_type: "FLAT" })).status).toBe(200);
  expect((await control("POST", "/clock", { set: MONDAY })).status).toBe(200);
  return { ...opened, payoutId: `po_${accountId}_${MONDAY}` };
}

describe("a sandbox's account goes its whole way at a word [D8.sandbox]", () => {
  test("an account is promoted, offered a pro account, and promoted through the pro track [D7.promotion] [D10.proOffer]", async () => {
    const { accountId, act, phase } = await open();
    const done = [200, { accountId }];
    expect(await act({ action: "promote" })).toEqual(done);
    expect(await phase()).toBe("SUBACCOUNT_FUNDED");
    expect(await act({ action: "promote" })).toEqual([
      400,
      "action: Nothing comes after the phase funded by itself",
    ]);
    expect(await act({ action: "offerPro", proAccountSize: 199_999 })).toEqual([
      400,
      "proAccountSize: must be at least 200000, twice the standard size, not 199999",
    ]);
    expect(await act({ action: "offerPro", proAccountSize: 200_000 })).toEqual(done);
    expect(await phase()).toBe("PRO_CHALLENGE_TRANSITION");
    expect(await act({ action: "offerPro", proAccountSize: 200_000 })).toEqual([
      400,
      "action: The account is on the pro track already",
    ]);
    expect(await act({ action: "promote" })).toEqual(done);
    expect(await phase()).toBe("PRO_CHALLENGE_FROM_STANDARD");
    expect(await act({ action: "promote" })).toEqual(done);
    expect(await phase()).toBe("PRO_FUNDED");
    expect((await act({ action: "promote" }))[0]).toBe(400);
  });

  test("the transition ends by itself on the Monday after the offer [S2.1.1.phase]", async () => {
    const { control, accountId, act } = await open();
    await act({ action: "promote" });
    await act({ action: "offerPro", proAccountSize: 400_000 });
    await control("POST", "/clock", { set: MONDAY });
    const { body } = await control("GET", `/journal?accountId=${accountId}`);
    const { events } = body as { events: { event: { type: string; startMs?: number } }[] };
    expect(
      events.map(({ event }) => event).find(({ type }) => type === "proStarted"),
    ).toMatchObject({ startMs: MONDAY, phase: "proChallengeFromStandard" });
  });

  test("an eliminated account goes nowhere", async () => {
    const { act } = await open();
    await act({ action: "eliminate", reason: "RULES" });
    const refused = [400, "action: The account is eliminated"];
    expect(await act({ action: "promote" })).toEqual(refused);
    expect(await act({ action: "offerPro", proAccountSize: 200_000 })).toEqual(refused);
  });
});

describe("a sandbox's payouts are paid at a word [D7.payment]", () => {
  test("what is written down is answered, until it is paid", async () => {
    const { control, payoutId, accountId } = await withPayout();
    const record = (body: object) => control("POST", `/payouts/${payoutId}`, body);
    const begun = await record({ status: "processing", rail: "onchain", provider: "base-usdc" });
    expect(begun).toEqual({
      status: 200,
      body: expect.objectContaining({
        id: payoutId,
        accountId,
        periodStartMs: START,
        periodEndMs: MONDAY,
        // 10,000 less fees of 0.03 % of 100,000 and of 110,000.
        amount: 9_937,
        status: "processing",
        rail: "onchain",
        provider: "base-usdc",
        reference: null,
        requestedAtMs: MONDAY,
        paidAtMs: null,
      }),
    });
    expect(await record({ status: "paid", reference: "0xabc" })).toMatchObject({
      status: 200,
      body: { status: "paid", rail: "onchain", reference: "0xabc", paidAtMs: MONDAY },
    });
    expect(await record({ status: "failed" })).toEqual({
      status: 400,
      body: { error: "The payout is paid already" },
    });
    expect(await control("POST", `/payouts/${payoutId}1`, { status: "paid" })).toEqual({
      status: 404,
      body: { error: "Payout not found" },
    });
  });

  test("the same calls give the same bytes [D8.sandbox]", async () => {
    const run = async (): Promise<string> => {
      const { control, payoutId, accountId, act } = await withPayout();
      const said = [
        await control("POST", `/payouts/${payoutId}`, { status: "paid", reference: "7" }),
        await act({ action: "offerPro", proAccountSize: 200_000 }),
        await act({ action: "promote" }),
        await control("GET", `/journal?accountId=${accountId}`),
      ];
      return JSON.stringify(said);
    };
    const first = await run();
    expect(await run()).toBe(first);
    expect(first).toContain("proChallengeFromStandard");
  });
});
