import { get as httpGet, type IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { eventually, until } from "../../../test/eventually.ts";
import type { Fault, FaultRule } from "./http/faults.ts";
import {
  limitBody,
  marketBody,
  objectAt,
  openTestStandIn,
  type TestStandIn,
  valueAt,
} from "./testing/test-stand-in.ts";

const ORDER = { ...marketBody("BTCUSDC", "LONG", { quantity: 0.1 }), order_uuid: "o" };

async function desk(...rules: readonly FaultRule[]): Promise<TestStandIn> {
  const opened = await openTestStandIn();
  await opened.control.setPrices({ BTCUSDC: { bid: 49_990, ask: 50_000 } });
  for (const rule of rules) await opened.control.addFault(rule);
  return opened;
}

/** The raw answer of the dashboard call; a part of it when it broke off or `maxBytes` were received. */
function rawDashboard({ standIn, hotkey }: TestStandIn, maxBytes = Infinity) {
  const headers = { authorization: `Bearer ${standIn.keys.validator}` };
  const url = `${standIn.validatorUrl}/v2/entity/subaccount/${hotkey}`;
  return new Promise<{ response: IncomingMessage; bytes: Buffer; isWhole: boolean }>(
    (resolve, reject) => {
      const request = httpGet(url, { headers, agent: false }, (response) => {
        const parts: Buffer[] = [];
        const done = (isWhole: boolean) =>
          resolve({ response, bytes: Buffer.concat(parts), isWhole });
        response.on("data", (part: Buffer) => {
          parts.push(part);
          if (Buffer.concat(parts).length > maxBytes) {
            done(false);
            request.destroy();
          }
        });
        response.on("end", () => done(response.complete));
        response.on("error", () => done(false));
      });
      request.on("error", reject);
    },
  );
}

describe("a fault of a submit", () => {
  test.each<[string, Fault, boolean]>([
    ["a cut before the work", { kind: "cut", when: "before" }, false],
    ["a cut after the work", { kind: "cut", when: "after" }, true],
    ["half a body", { kind: "halfBody" }, true],
  ])("%s loses the answer", async (_, fault, isDone) => {
    const opened = await desk({ call: "submit", fault });
    await expect(opened.submit(ORDER)).rejects.toThrow();
    expect(await opened.control.acceptedOrders()).toHaveLength(isDone ? 1 : 0);
    const { body } = await opened.status("o");
    expect(body.status).toBe(isDone ? "completed" : "not_found");
  });

  test.each<[Fault & { kind: "error500" }, boolean, object]>([
    [{ kind: "error500", when: "before" }, false, { error: "Internal server error" }],
    [{ kind: "error500", when: "after" }, true, { success: false, order_uuid: "o" }],
  ])("a submit answers 500 $when the work", async (fault, isDone, body) => {
    const opened = await desk({ call: "submit", fault });
    expect(await opened.submit(ORDER)).toMatchObject({ status: 500, body });
    expect(await opened.control.acceptedOrders()).toHaveLength(isDone ? 1 : 0);
  });

  test("held work is done after its release, although the client went away", async () => {
    const opened = await desk({ call: "submit", fault: { kind: "held", when: "before" } });
    const { keys, gatewayUrl } = opened.standIn;
    const leaves = new AbortController();
    const sent = fetch(`${gatewayUrl}/api/submit-order`, {
      method: "POST",
      headers: { authorization: `Bearer ${keys.gateway}` },
      body: JSON.stringify({ subaccount_id: 0, ...ORDER }),
      signal: leaves.signal,
    });
    await until(async () => (await opened.control.faults()).length === 1);
    leaves.abort();
    await expect(sent).rejects.toThrow();
    expect(await opened.control.acceptedOrders()).toHaveLength(0);
    await opened.control.release("another subaccount");
    expect(await opened.control.acceptedOrders()).toHaveLength(0);
    await opened.control.release(opened.hotkey);
    await eventually(async () => {
      expect(await opened.control.acceptedOrders()).toHaveLength(1);
    });
  });

  test("a slow call is done and answered", async () => {
    const fault = { kind: "slow", beforeMs: 5, afterMs: 5 } as const;
    const opened = await desk({ call: "submit", fault });
    expect((await opened.submit(ORDER)).status).toBe(200);
    expect(await opened.control.acceptedOrders()).toHaveLength(1);
  });

  test("an entry fills by itself before the work, after it, or when a control call says so", async () => {
    const resting = { ...limitBody("BTCUSDC", "LONG", 40_000, { quantity: 0.1 }), order_uuid: "r" };
    for (const when of ["before", "after"] as const) {
      const opened = await desk();
      await opened.submit(resting);
      await opened.control.addFault({ call: "submit", fault: { kind: "fill", when } });
      const cancelled = await opened.submit({ execution_type: "LIMIT_CANCEL", order_uuid: "ALL" });
      expect(cancelled.text).toContain(`'num_cancelled': ${when === "before" ? 0 : 1}`);
      const account = await opened.control.subaccount(opened.hotkey);
      expect(account?.positions.map(({ uuid }) => uuid)).toEqual(when === "before" ? ["r"] : []);
    }
    const opened = await desk();
    for (const order_uuid of ["o", "p", "q"]) await opened.submit({ ...resting, order_uuid });
    await opened.control.fillByItself(opened.hotkey, ["p"]);
    await opened.control.fillByItself(opened.hotkey, []);
    const account = await opened.control.subaccount(opened.hotkey);
    expect(account?.resting.map(({ uuid }) => uuid)).toEqual(["q"]);
  });

  test("a fill whose second leg is refused has the first one, and an error beside its success", async () => {
    const opened = await desk({ call: "submit", fault: { kind: "refuseLegs", from: 1 } });
    const legs = [{ stop_loss: 40_000, bracket_pct: 0.5 }, { take_profit: 60_000 }];
    const { body } = await opened.submit({ ...ORDER, bracket_orders: legs });
    expect(body).toMatchObject({ success: true });
    expect(body.error_message).toContain("bracket order creation failed");
    const account = await opened.control.subaccount(opened.hotkey);
    expect(account?.resting.map(({ uuid }) => uuid)).toEqual(["o-bracket-0"]);
  });

  test("a success with nothing done changes nothing", async () => {
    const opened = await desk({ call: "submit", fault: { kind: "nothingDone" } });
    const { body } = await opened.submit(ORDER);
    expect(body).toEqual({ success: true, order_uuid: "o" });
    expect(await opened.control.acceptedOrders()).toEqual([]);
  });

  test.each([
    ["quantity", "'quantity': 0.3"],
    ["direction", "'order_type': 'SHORT'"],
  ] as const)("an order_json that contradicts its order has another %s", async (what, text) => {
    const opened = await desk({ call: "submit", fault: { kind: "contradict", what } });
    expect((await opened.submit(ORDER)).body.order_json).toContain(text);
  });

  test("an elimination before the work rejects the order, after the work keeps it", async () => {
    const before = await desk({ call: "submit", fault: { kind: "eliminate", when: "before" } });
    expect((await before.submit(ORDER)).status).toBe(400);
    const after = await desk({ call: "submit", fault: { kind: "eliminate", when: "after" } });
    expect((await after.submit(ORDER)).status).toBe(200);
    expect((await after.control.subaccount(after.hotkey))?.status).toBe("eliminated");
  });

  test("a submit gives any answer without the work", async () => {
    const fault = { kind: "answer", when: "before", status: 429, body: "slow down" } as const;
    const opened = await desk({ call: "submit", fault });
    expect(await opened.submit(ORDER)).toMatchObject({ status: 429, text: "slow down" });
    expect(await opened.control.submissions()).toEqual([]);
  });
});

describe("a fault of the dashboard", () => {
  test.each<[string, Fault, string]>([
    ["NaN", { kind: "number", key: "balance", text: "NaN" }, `"balance":NaN`],
    ["Infinity", { kind: "number", key: "equity", text: "-Infinity" }, `"equity":-Infinity`],
    ["400 digits", { kind: "number", key: "balance", text: "9".repeat(400) }, "9".repeat(400)],
    ["a duplicate key", { kind: "duplicateKey", key: "bucket" }, `"bucket":"again","bucket":"SUB`],
    ["invalid JSON", { kind: "invalidJson" }, ",,"],
    ["other ids", { kind: "otherSubaccount", hotkey: "else_7" }, `"else_7"`],
    ["a replaced text", { kind: "replace", text: "active", by: "$&" }, `"status":"$&"`],
  ])("%s is in its text", async (_, fault, text) => {
    const opened = await desk({ call: "dashboard", fault });
    expect((await opened.dashboard()).text).toContain(text);
  });

  test("cursors go back", async () => {
    const opened = await desk();
    await opened.submit(ORDER);
    const before = valueAt(
      (await opened.dashboard()).body,
      "dashboard",
      "positions",
      "positions_time_ms",
    );
    await opened.control.addFault({
      call: "dashboard",
      fault: { kind: "cursorsBack", byMs: 1000 },
    });
    const after = valueAt(
      (await opened.dashboard()).body,
      "dashboard",
      "positions",
      "positions_time_ms",
    );
    expect(Number(after)).toBe(Number(before) - 1000);
  });

  test("the closed orders are drained again, or by another reader", async () => {
    const opened = await desk();
    const closed = async () =>
      valueAt((await opened.dashboard()).body, "dashboard", "limit_orders", "closed_orders");
    const cancelled = async (order_uuid: string) => {
      await opened.submit({ ...limitBody("BTCUSDC", "LONG", 1, { quantity: 100 }), order_uuid });
      await opened.submit({ execution_type: "LIMIT_CANCEL", order_uuid });
    };
    await cancelled("a");
    expect(await closed()).toEqual(["a"]);
    await cancelled("b");
    await opened.control.addFault({ call: "dashboard", fault: { kind: "drainAgain" }, times: 1 });
    expect(await closed()).toEqual(["a", "b"]);
    await cancelled("c");
    await opened.control.addFault({ call: "dashboard", fault: { kind: "drainedByAnother" } });
    expect(await closed()).toBeUndefined();
  });

  test("a drained list comes and then the connection is cut", async () => {
    const opened = await desk({ call: "dashboard", fault: { kind: "cutAfterAnswer" } });
    const { bytes, isWhole } = await rawDashboard(opened);
    expect(isWhole).toBe(true);
    expect(JSON.parse(bytes.toString())).toMatchObject({ status: "success" });
  });

  test("half a body ends before its promised length", async () => {
    const opened = await desk({ call: "dashboard", fault: { kind: "halfBody" } });
    const { response, bytes, isWhole } = await rawDashboard(opened);
    expect(isWhole).toBe(false);
    expect(bytes.length).toBe(Math.ceil(Number(response.headers["content-length"]) / 2));
  });

  test("an endless body sends megabytes and no end", async () => {
    const opened = await desk({ call: "dashboard", fault: { kind: "endlessBody" } });
    const { bytes, isWhole } = await rawDashboard(opened, 5_000_000);
    expect(isWhole).toBe(false);
    expect(bytes.length).toBeGreaterThan(5_000_000);
  });

  test("a compressed body unpacks to far more than it sends", async () => {
    const fault = { kind: "compressed", bytes: 1_000_000 } as const;
    const opened = await desk({ call: "dashboard", fault });
    const { response, bytes } = await rawDashboard(opened);
    expect(response.headers["content-encoding"]).toBe("gzip");
    expect(bytes.length).toBeLessThan(10_000);
    expect(gunzipSync(bytes).length).toBeGreaterThan(1_000_000);
  });

  test("a redirect names its location", async () => {
    const fault = { kind: "redirect", location: "http://127.0.0.1:1/secret" } as const;
    const opened = await desk({ call: "dashboard", fault });
    const { response } = await rawDashboard(opened);
    expect([response.statusCode, response.headers.location]).toEqual([307, fault.location]);
  });
});

describe("a plan of faults", () => {
  const SLOW: Fault = { kind: "error500", when: "before" };

  async function statuses(rule: FaultRule, seed: number): Promise<readonly number[]> {
    const opened = await openTestStandIn({}, { seed });
    await opened.control.addFault(rule);
    const found: number[] = [];
    for (let call = 0; call < 20; call += 1) found.push((await opened.dashboard()).status);
    return found;
  }

  test("a planned fault happens at the numbered calls", async () => {
    const found = await statuses({ call: "dashboard", fault: SLOW, nth: [2, 5] }, 1);
    expect(found.flatMap((status, index) => (status === 500 ? [index + 1] : []))).toEqual([2, 5]);
  });

  test("a planned fault with a probability depends on the seed alone and ends after its times", async () => {
    const rule: FaultRule = { call: "any", fault: SLOW, probability: 0.4, times: 3 };
    const first = await statuses(rule, 11);
    expect(await statuses(rule, 11)).toEqual(first);
    expect(await statuses(rule, 12)).not.toEqual(first);
    expect(first.filter((status) => status === 500)).toHaveLength(3);
  });

  test("a planned fault meets only its execution type, is recorded, and can be cleared", async () => {
    const rule: FaultRule = { call: "submit", executionType: "LIMIT", fault: SLOW };
    const opened = await desk(rule);
    expect((await opened.submit(ORDER)).status).toBe(200);
    const resting = { ...limitBody("BTCUSDC", "LONG", 1, { quantity: 100 }), order_uuid: "l" };
    expect((await opened.submit(resting)).status).toBe(500);
    expect(await opened.control.faults()).toMatchObject([{ call: "submit", orderUuid: "l" }]);
    await opened.control.clearFaults();
    expect((await opened.submit(resting)).status).toBe(200);
    expect(objectAt({ counts: await opened.control.callCounts() }, "counts")).toEqual({
      submit: 3,
    });
  });
});
