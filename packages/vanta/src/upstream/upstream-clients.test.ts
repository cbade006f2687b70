import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { formatTraceParent } from "../../../base/src/trace-parent.ts";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import {
  type RawRequest,
  rawAnswer,
  startRawServer,
} from "../../../server/src/testing/raw-server.ts";
import { createGatewayClient } from "./gateway-client.ts";
import type { UpstreamLimits } from "./upstream-options.ts";
import { createValidatorClient } from "./validator-client.ts";

const START_MS = 1_700_000_000_000;
const NO_CURSORS = { positionsMs: null, ordersMs: null, checkpointsMs: null, dailyReturnsMs: null };

type Answering = (socket: Socket, request: RawRequest) => void;

const answering =
  (body: string, status = "200 OK"): Answering =>
  (socket) =>
    void socket.write(rawAnswer(body, { status }));

async function startWith(answer: Answering, limits: Partial<UpstreamLimits> = {}) {
  const scripted = { answer };
  const server = await startRawServer((socket, request) => scripted.answer(socket, request));
  const time = createManualTime(START_MS);
  const { clock, timer } = time;
  const options = { url: server.url, key: "a-key", clock, timer, limits };
  const validator = createValidatorClient(options);
  const gateway = createGatewayClient(options);
  onTestFinished(() => {
    validator.close();
    gateway.close();
  });
  const lines = (): readonly string[] =>
    server.requests.map(({ line }) => line.replace(" HTTP/1.1", ""));
  return { server, scripted, validator, gateway, lines, time };
}

const bodyOf = (request: RawRequest | undefined): unknown =>
  JSON.parse(request?.text.split("\r\n\r\n")[1] ?? "null");

const notSent = (why: string): object => ({
  ok: false,
  failure: { kind: "unreachable", wasSent: false, why },
});

describe("the validator", () => {
  test.each([
    ["5Abc_0", NO_CURSORS, "GET /v2/entity/subaccount/5Abc_0"],
    ["a/../b?", NO_CURSORS, "GET /v2/entity/subaccount/a%2F..%2Fb%3F"],
    [
      "5Abc_12",
      { positionsMs: 1, ordersMs: 2, checkpointsMs: 3, dailyReturnsMs: 4 },
      "GET /v2/entity/subaccount/5Abc_12?positions_time_ms=1&limit_orders_time_ms=2&checkpoints_time_ms=3&daily_returns_time_ms=4",
    ],
    [
      "5Abc_12",
      { ...NO_CURSORS, ordersMs: 0, dailyReturnsMs: 1_700_000_000_000 },
      "GET /v2/entity/subaccount/5Abc_12?limit_orders_time_ms=0&daily_returns_time_ms=1700000000000",
    ],
  ])("a call for the dashboard of %s has its cursors (%#)", async (hotkey, cursors, line) => {
    const { validator, lines } = await startWith(answering('{"status":"success"}'));
    expect(await validator.dashboard(hotkey, cursors)).toEqual({
      ok: true,
      value: { status: "success" },
    });
    expect(lines()).toEqual([line]);
  });

  test("the validator is asked for limits and pairs", async () => {
    const { validator, lines } = await startWith(answering("{}"));
    await validator.limits("5Abc_0");
    await validator.tradePairs();
    expect(lines()).toEqual(["GET /subaccounts/5Abc_0/limits", "GET /trade-pairs"]);
  });

  test("the validator is asked for payouts up to a time, or up to now", async () => {
    const { validator, lines, server } = await startWith(answering("{}"));
    await validator.payout("uuid-1", { startMs: 0, endMs: 43_200_000 });
    await validator.payout("uuid-1", { startMs: 0, endMs: null });
    expect(lines()).toEqual(Array(2).fill("POST /entity/subaccount/payout"));
    expect(server.requests.map(bodyOf)).toEqual([
      { subaccount_uuid: "uuid-1", start_time_ms: 0, end_time_ms: 43_200_000 },
      { subaccount_uuid: "uuid-1", start_time_ms: 0 },
    ]);
  });

  test("the validator answers a refusal with its status and its cleaned text", async () => {
    const { validator } = await startWith(
      answering('{"error":"a-key lacks the tier"}', "403 Forbidden"),
    );
    expect(await validator.limits("5Abc_0")).toEqual({
      ok: false,
      failure: {
        kind: "refused",
        status: 403,
        error: "[key] lacks the tier",
        body: { error: "a-key lacks the tier" },
      },
    });
  });

  test("the validator gets at most so many reads at the same time, and slow payouts delay none of them", async () => {
    const waiting: Socket[] = [];
    const { validator, lines } = await startWith(
      (socket, { line }) => {
        if (line.startsWith("POST")) return;
        waiting.push(socket);
      },
      { readsMax: 3, othersMax: 1 },
    );
    void validator.payout("uuid-1", { startMs: 0, endMs: null });
    const reads = Array.from({ length: 7 }, () => validator.dashboard("5Abc_0", NO_CURSORS));
    for (const [round, count] of [3, 3, 1].entries()) {
      await eventually(() => expect(waiting).toHaveLength(count));
      expect(lines().filter((line) => line.startsWith("GET"))).toHaveLength(3 * round + count);
      for (const socket of waiting.splice(0)) socket.write(rawAnswer("1"));
    }
    expect(await Promise.all(reads)).toEqual(Array(7).fill({ ok: true, value: 1 }));
  });
});

describe("the gateway", () => {
  test("the gateway gets an order once, as it was given", async () => {
    const { gateway, lines, server } = await startWith(answering('{"success":true}'));
    const order = { execution_type: "MARKET", value: 1000.5, order_uuid: null, legs: [{ a: 1 }] };
    expect(await gateway.submit(order, 1_000)).toEqual({ ok: true, value: { success: true } });
    expect(lines()).toEqual(["POST /api/submit-order"]);
    expect(bodyOf(server.requests[0])).toEqual(order);
  });

  test("the gateway gets the span of a traced order, and no such header with any other", async () => {
    const { gateway, server } = await startWith(answering('{"success":true}'));
    const trace = formatTraceParent({
      traceId: "a".repeat(32),
      spanId: "b".repeat(16),
      traceFlags: 1,
    });
    await gateway.submit({}, 1_000, trace);
    await gateway.submit({}, 1_000);
    await gateway.status("u");
    const [traced, ...others] = server.requests.map(({ text }) => text.toLowerCase());
    expect(traced).toContain(`\r\ntraceparent: ${trace}\r\n`);
    for (const other of others) expect(other).not.toContain("traceparent");
  });

  test.each([
    ["200 OK", '{"success":false,"error_message":"No price"}', 200, "No price"],
    ["400 Bad Request", '{"success":false,"error":"bad size"}', 400, "bad size"],
    [
      "400 Bad Request",
      '{"success":false,"error_message":"cooldown","message":"Order failed"}',
      400,
      "cooldown",
    ],
    ["401 Unauthorized", '{"error":"Unauthorized access"}', 401, "Unauthorized access"],
    ["500 Oops", '{"success":false,"order_uuid":"u","error":"boom"}', 500, "boom"],
  ])("the gateway refuses an order with %s %s", async (status, body, code, error) => {
    const { gateway, lines } = await startWith(answering(body, status));
    expect(await gateway.submit({}, 1_000)).toEqual({
      ok: false,
      failure: { kind: "refused", status: code, error, body: JSON.parse(body) },
    });
    expect(lines()).toHaveLength(1);
  });

  test("a gateway that holds all orders still answers questions about them", async () => {
    const { gateway, lines, server, time } = await startWith(
      (socket, { line }) => {
        if (line.startsWith("GET")) socket.write(rawAnswer('{"status":"completed"}'));
      },
      { othersMax: 2, readsMax: 1 },
    );
    const held = [1, 2].map((order) => gateway.submit({ order }, 60_000));
    await eventually(() => expect(lines()).toHaveLength(2));
    const waiting = [3, 4, 5].map((order) => gateway.submit({ order }, 400));
    expect(await gateway.status("a b/c")).toEqual({ ok: true, value: { status: "completed" } });
    expect(lines().at(-1)).toBe("GET /api/order-status/a%20b%2Fc");
    await time.pass(400);
    expect(await Promise.all(waiting)).toEqual(Array(3).fill(notSent("no slot was free in time")));
    await server.close();
    for (const order of await Promise.all(held)) {
      expect(order).toMatchObject({ failure: { wasSent: true } });
    }
    expect(lines().filter((line) => line.startsWith("POST"))).toHaveLength(2);
  });

  test("the gateway does not get an order that found no slot in time", async () => {
    const { gateway, lines, server, time } = await startWith(() => {}, { othersMax: 1 });
    const first = gateway.submit({ order: 1 }, 5_000);
    await eventually(() => expect(lines()).toHaveLength(1));
    const second = gateway.submit({ order: 2 }, 50);
    await time.pass(50);
    expect(await second).toEqual(notSent("no slot was free in time"));
    await server.close();
    expect(await first).toMatchObject({ failure: { wasSent: true } });
    expect(server.requests.map(bodyOf)).toEqual([{ order: 1 }]);
  });

  test("a gateway that failed to process an order is still asked, and its word stays a word", async () => {
    const { gateway } = await startWith(
      answering('{"success":false,"status":"failed","error":"no"}'),
    );
    expect(await gateway.status("u")).toMatchObject({ ok: true, value: { status: "failed" } });
  });
});

describe("repeated failures", () => {
  /** Moves the time of the circuit breaker, which reads the machine's clock. */
  function passBreakerTime(ms: number): void {
    vi.setSystemTime(Date.now() + ms);
  }

  function holdBreakerTime(): void {
    vi.useFakeTimers({ toFake: ["Date"], now: START_MS });
    onTestFinished(() => void vi.useRealTimers());
  }

  const failing = answering('{"error":"boom"}', "500 Oops");
  const limits = { failuresMax: 3, pausesMs: [1_000, 4_000] };

  test("repeated failures pause the calls, and health says so", async () => {
    holdBreakerTime();
    const { validator, lines } = await startWith(failing, limits);
    expect(validator.health()).toEqual({
      reachable: true,
      unreachableSinceMs: null,
      callsInFlight: 0,
      isPaused: false,
    });
    for (let call = 0; call < 3; call += 1) {
      expect(await validator.tradePairs()).toMatchObject({ failure: { status: 500 } });
    }
    expect(await validator.tradePairs()).toEqual(notSent("calls are paused after failures"));
    expect(lines()).toHaveLength(3);
    expect(validator.health()).toEqual({
      reachable: false,
      unreachableSinceMs: START_MS,
      callsInFlight: 0,
      isPaused: true,
    });
  });

  test("repeated failures are followed by one call that tries the host, and longer pauses", async () => {
    holdBreakerTime();
    const { validator, scripted, lines } = await startWith(failing, limits);
    for (let call = 0; call < 3; call += 1) await validator.tradePairs();
    passBreakerTime(999);
    expect(await validator.tradePairs()).toMatchObject({ failure: { wasSent: false } });
    passBreakerTime(1);
    const tried = await Promise.all([validator.tradePairs(), validator.limits("5Abc_0")]);
    expect(tried).toMatchObject([{ failure: { status: 500 } }, { failure: { wasSent: false } }]);
    passBreakerTime(3_999);
    expect(await validator.tradePairs()).toMatchObject({ failure: { wasSent: false } });
    passBreakerTime(1);
    scripted.answer = answering("1");
    expect(await validator.tradePairs()).toEqual({ ok: true, value: 1 });
    expect(validator.health()).toMatchObject({ reachable: true, isPaused: false });
    expect(await validator.limits("5Abc_0")).toEqual({ ok: true, value: 1 });
    expect(lines()).toHaveLength(6);
  });

  test.each<readonly [string, Answering, boolean]>([
    ["500", failing, true],
    ["503", answering('{"error":"entity management not available"}', "503 Busy"), true],
    ["a cut connection", (socket) => void socket.end(), true],
    ["400", answering('{"error":"x"}', "400 Bad Request"), false],
    ["401", answering('{"error":"x"}', "401 Unauthorized"), false],
    ["429", answering('{"error":"x"}', "429 Too Many Requests"), false],
    ["an answer that cannot be read", answering("{"), false],
    ["500 about one order alone", answering('{"success":false,"error":"x"}', "500 Oops"), false],
  ])(
    "failures of %s pause the calls: only those of the host do",
    async (_title, answer, isPaused) => {
      const { gateway, lines } = await startWith(answer, limits);
      for (let call = 0; call < 3; call += 1) await gateway.submit({}, 1_000);
      expect(lines()).toHaveLength(3);
      expect(gateway.health().isPaused).toBe(isPaused);
    },
  );

  test("repeated failures never cut an order that was sent", async () => {
    const { gateway, scripted } = await startWith(() => {}, limits);
    const held: Socket[] = [];
    scripted.answer = (socket, request) => {
      if (request.line.startsWith("POST")) held.push(socket);
      else failing(socket, request);
    };
    const order = gateway.submit({}, 5_000);
    await eventually(() => expect(held).toHaveLength(1));
    expect(gateway.health().callsInFlight).toBe(1);
    for (let call = 0; call < 3; call += 1) await gateway.status("u");
    expect(gateway.health().isPaused).toBe(true);
    held[0]?.write(rawAnswer('{"success":true}'));
    expect(await order).toEqual({ ok: true, value: { success: true } });
  });

  test("repeated failures let an order through only after the gateway's health was asked", async () => {
    holdBreakerTime();
    const { gateway, scripted, lines } = await startWith(failing, limits);
    for (let call = 0; call < 3; call += 1) await gateway.status("u");
    expect(await gateway.submit({}, 1_000)).toEqual(notSent("calls are paused after failures"));
    expect(lines()).toHaveLength(3);
    passBreakerTime(1_000);
    expect(await gateway.submit({}, 1_000)).toEqual(notSent("calls are paused after failures"));
    expect(lines().slice(3)).toEqual(["GET /api/health"]);
    passBreakerTime(4_000);
    scripted.answer = answering('{"success":true}');
    expect(await gateway.submit({}, 1_000)).toMatchObject({ ok: true });
    expect(lines().slice(4)).toEqual(["GET /api/health", "POST /api/submit-order"]);
  });

  test("repeated failures of a host that is not there name no order as sent", async () => {
    const { gateway, server } = await startWith(() => {}, limits);
    await server.close();
    for (let call = 0; call < 3; call += 1) {
      expect(await gateway.submit({}, 1_000)).toEqual(notSent("connection refused"));
    }
    expect(await gateway.submit({}, 1_000)).toEqual(notSent("calls are paused after failures"));
  });
});
