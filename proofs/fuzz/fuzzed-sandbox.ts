import assert from "node:assert/strict";
import { startSandbox } from "@propgate/server";
import type { RunningSandbox } from "../../packages/server/src/start/running-service.ts";
import { START_MS } from "../../packages/server/src/testing/harness.ts";
import { createSandboxClient } from "../../packages/server/src/testing/sandbox-client.ts";
import { createOutputChecker, type OutputChecker } from "./output-checker.ts";

/** A running sandbox with a second account, which the fuzzed calls may close. */
export interface FuzzedSandbox {
  readonly ready: RunningSandbox["ready"];
  readonly spare: { readonly accountId: string; readonly keyId: string };
  readonly checker: OutputChecker;
  /** Checks that the first account can still trade. @throws when it cannot */
  expectSound(): Promise<void>;
  close(): Promise<void>;
}

const SOUND = { network: "up", trades: "up", stats: "up", orders: "ok", secrets: "ok" };
const ORDER = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  value: 100,
};

export async function openFuzzedSandbox(): Promise<FuzzedSandbox> {
  const sandbox = await startSandbox({
    port: 0,
    startMs: START_MS,
    seed: "fuzz",
    clock: "frozen",
    dataDir: null,
    networkTimeoutMs: 15_000,
  });
  const { ready } = sandbox;
  // The time of the sandbox's clock, which the calls advance.
  let nowMs = START_MS;
  const client = createSandboxClient(sandbox, () => nowMs);
  const control = async (...call: Parameters<typeof client.control>): Promise<unknown> => {
    const { status, body } = await client.control(...call);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const accountId = String(Object(await control("POST", "/accounts", { size: 100_000 })).accountId);
  const scopes = ["trade:read"];
  const keyId = String(Object(await control("POST", "/keys", { accountId, scopes })).keyId);
  return {
    ready,
    spare: { accountId, keyId },
    checker: createOutputChecker([ready.secret, ready.controlToken]),
    async expectSound() {
      await control("POST", "/faults", SOUND);
      await control("POST", "/quotes", [{ pair: "BTCUSD", bid: 90_000, ask: 90_010 }]);
      nowMs = Number(Object(await control("GET", "/state")).now);
      const order = await client.order(ORDER);
      assert.equal(order.status, 200, order.text);
      const account = await client.get("account");
      assert.equal(account.status, 200, account.text);
      await control("GET", `/journal?accountId=${ready.accountId}`);
    },
    close: () => sandbox.stop(),
  };
}
