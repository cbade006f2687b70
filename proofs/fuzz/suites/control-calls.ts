import assert from "node:assert/strict";
import fc from "fast-check";
import { CONTROL_CALLS } from "../../../packages/server/src/sandbox/control-calls.ts";
import { sendRequest } from "../../../packages/server/src/testing/signed-request.ts";
import { createFuzzSuite, type FuzzSuite } from "../fuzz-suite.ts";
import type { FuzzedSandbox } from "../fuzzed-sandbox.ts";
import { documentVariants, hostileIds } from "../mutated-calls.ts";

const STATUSES = [200, 400, 404, 413, 415];
/** The longest step of the clock in a call: passing years of days would take too long. */
const ADVANCE_MAX_MS = 3 * 86_400_000;

/** Valid bodies of the calls that have one, by the path of the call. */
function bodiesFor(accountId: string): ReadonlyMap<string, readonly unknown[]> {
  const account = { size: 50_000, drawdownCriteria: "trailing", assetClass: "crypto" };
  const actions = [
    ...["promote", "close", "provision"].map((action) => ({ action })),
    { action: "eliminate", reason: "x" },
    { action: "offerPro", proAccountSize: 200_000 },
  ];
  const faults = { network: "up", trades: "up", stats: "up", orders: "ok", secrets: "ok" };
  return new Map<string, readonly unknown[]>([
    ["/clock", [{ advance: 1_000 }, { set: 0 }]],
    ["/quotes", [[{ pair: "BTCUSD", bid: 90_000, ask: 90_010 }]]],
    ["/accounts", [{ ...account, dailyLossPct: 3, tier: 2, provisioned: true }]],
    ["/accounts/:id/actions", actions],
    ["/payouts/:id", [{ status: "paid", rail: "bank", provider: "x", reference: "y" }]],
    ["/keys", [{ accountId, scopes: ["trade:read", "trade:place"] }]],
    ["/faults", [faults]],
  ]);
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** Any call of the control plane with any ids, query and body gets a known status. @rule D8.sandbox */
export function controlCallsSuite(world: FuzzedSandbox): FuzzSuite {
  const { accountId, keyId } = world.spare;
  const bodies = bodiesFor(accountId);
  for (const path of bodies.keys())
    assert.ok(
      CONTROL_CALLS.some((route) => route.path === path),
      path,
    );
  const ids = hostileIds([accountId, keyId, `po_${accountId}_1767571200000`]);
  const query = fc.oneof(
    fc.constantFrom("", `?accountId=${accountId}`, "?accountId=", "?accountId=x&accountId=y"),
    fc.webQueryParameters().map((text) => `?${text}`),
  );
  return createFuzzSuite({
    name: "calls of the sandbox's control plane",
    defaultRuns: 400,
    inputs: fc.constantFrom(...CONTROL_CALLS).chain((route) =>
      fc
        .record({
          id: ids,
          query,
          body: fc.constantFrom(...(bodies.get(route.path) ?? [{}])).chain(documentVariants),
        })
        .map(
          ({ id, query: search, body }): Call => ({
            method: route.method,
            path: route.path.replace(/:\w+/g, id) + search,
            body: route.method === "POST" ? body : "",
          }),
        )
        .filter(isQuick),
    ),
    try: (call) => tryCall(world, call),
  });
}

function isQuick({ path, body }: Call): boolean {
  if (!path.startsWith("/clock")) return true;
  const times = body.match(/-?\d[\d.e+-]*/g) ?? [];
  return times.every((text) => !(Number(text) > ADVANCE_MAX_MS && Number(text) < 1e13));
}

async function tryCall(world: FuzzedSandbox, { method, path, body }: Call): Promise<void> {
  const { hostname: host, port } = new URL(world.ready.controlUrl);
  const headers = { Authorization: `Bearer ${world.ready.controlToken}` };
  const reply = await sendRequest({ host, port, method, path, headers }, Buffer.from(body, "utf8"));
  const shown = reply.text.replace(/"secret":"propgate_sk_[\w-]{49}"/, '"secret":"shown once"');
  world.checker.status(STATUSES, { status: reply.status, body: shown });
}
