/** A sandbox with a market and a clock, and the actions and checks of a story. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Client, createClient, resultOf } from "@propgate/sdk";

const COMMAND = join(import.meta.dirname, "../../packages/cli/bin/propgate.js");

export interface Stage {
  readonly client: Client;
  /** The sandbox's time in milliseconds. */
  readonly now: () => number;
  /** Moves the clock to that time. Resolves when all work due until then is done. */
  readonly at: (iso: string) => Promise<void>;
  /** Sets bid and ask to one price. Resolves when everything that it triggers is settled. */
  readonly price: (pair: string, level: number) => Promise<void>;
  /** Sends a MARKET order. FLAT closes the position of the pair and has no size. */
  readonly order: (
    type: "LONG" | "SHORT" | "FLAT",
    pair: string,
    quantity?: number,
  ) => Promise<void>;
  /** Carries out an operator's action on the account. */
  readonly act: (action: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Records a change of a payout as an operator. Resolves with the status of the answer. */
  readonly recordPayout: (id: string, record: Readonly<Record<string, string>>) => Promise<number>;
  /** Checks that two amounts are equal to the cent. */
  readonly money: (actual: number | null | undefined, expected: number) => void;
  readonly same: <Value>(actual: Value, expected: Value) => void;
  readonly checks: () => number;
  readonly say: (line: string) => void;
  readonly close: () => Promise<void>;
}

interface Ready {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly controlToken: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly secret: string;
}

export async function openStage(start: string): Promise<Stage> {
  const sandbox = spawn(process.execPath, [COMMAND, "sandbox", "--start", start], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface(sandbox.stdout), "line");
  const ready = JSON.parse(String(line)) as Ready;
  let now = Date.parse(start);
  let checks = 0;
  const client = createClient({ ...ready, now: () => now });
  const control = async (path: string, body: unknown): Promise<number> => {
    const answer = await fetch(ready.controlUrl + path, {
      method: "POST",
      headers: { Authorization: `Bearer ${ready.controlToken}` },
      body: JSON.stringify(body),
    });
    await answer.text();
    return answer.status;
  };
  const done = async (path: string, body: unknown) =>
    assert.equal(await control(path, body), 200, `${path} ${JSON.stringify(body)}`);
  return {
    client,
    now: () => now,
    async at(iso) {
      await done("/clock", { set: Date.parse(iso) });
      now = Date.parse(iso);
    },
    price: (pair, level) => done("/quotes", [{ pair, bid: level, ask: level }]),
    async order(type, pair, quantity) {
      const entry = { execution_type: "MARKET", trade_pair: pair } as const;
      const trade =
        type === "FLAT"
          ? { ...entry, order_type: type }
          : { ...entry, order_type: type, quantity: quantity ?? 0 };
      resultOf(await client.placeOrder({ trade }));
    },
    act: (action) => done(`/accounts/${ready.accountId}/actions`, action),
    recordPayout: (id, record) => control(`/payouts/${id}`, record),
    money(actual, expected) {
      checks += 1;
      assert.equal(actual?.toFixed(2), expected.toFixed(2));
    },
    same(actual, expected) {
      checks += 1;
      assert.deepEqual(actual, expected);
    },
    checks: () => checks,
    say: (text) =>
      console.log(`${new Date(now).toISOString().slice(0, "2026-01-05".length)}  ${text}`),
    async close() {
      sandbox.kill();
      await once(sandbox, "close");
    },
  };
}
