import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { runLoad } from "../bench/load.ts";
import { runOpenLoop } from "../bench/open-loop.ts";

/** The length of the stall. A busy machine keeps a request waiting for a far shorter time. */
const STALL_MS = 1_500;
const STALLED_REQUEST = 200;
const PLAN = {
  host: "127.0.0.1",
  method: "GET",
  target: "/",
  body: "",
  keys: [{ keyId: "key", secret: "secret" }],
  requests: 1_000,
} as const;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/**
 * Starts a server that answers immediately, except during one stall: when request number `STALLED_REQUEST` arrives, the
 * server keeps back this and all further answers for `STALL_MS`. Resolves with the server's port.
 */
async function startStallingServer(): Promise<number> {
  let served = 0;
  let held: ServerResponse[] | null = null;
  const server = createServer((_, response) => {
    served += 1;
    if (served === STALLED_REQUEST) {
      held = [];
      setTimeout(() => {
        for (const one of held ?? []) one.end("{}");
        held = null;
      }, STALL_MS);
    }
    if (held === null) response.end("{}");
    else held.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, PLAN.host, resolve));
  stops.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

describe("a load at a constant rate", () => {
  test("a load at a constant rate counts a stall of the server for each request that was due during it", async () => {
    const port = await startStallingServer();
    const result = await runOpenLoop({ ...PLAN, port, perSecond: 1_000, connectionsMax: 16 });
    expect(result.statuses).toEqual({ "200": PLAN.requests });
    expect(result.p999Ms).toBeGreaterThan(STALL_MS * 0.9);
    // Far more than one in a hundred requests were due during the stall, so the 99th percentile shows the stall.
    expect(result.p99Ms).toBeGreaterThan(STALL_MS * 0.8);
  });

  test("a closed loop omits these requests, so its p99 has no stall", async () => {
    const port = await startStallingServer();
    const result = await runLoad({ ...PLAN, port, connections: 4 });
    expect(result.statuses).toEqual({ "200": PLAN.requests });
    expect(result.p99Ms).toBeLessThan(STALL_MS * 0.8);
  });

  test("a load at a constant rate sends no faster than its rate", async () => {
    const port = await startStallingServer();
    const started = performance.now();
    await runOpenLoop({ ...PLAN, port, perSecond: 2_000, connectionsMax: 16 });
    expect(performance.now() - started).toBeGreaterThanOrEqual((PLAN.requests - 1) / 2);
  });
});
