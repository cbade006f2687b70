import { accountId } from "@propgate/core";
import { expect, test } from "vitest";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import type { ApiKey } from "../storage/api-key.ts";
import { createKeyWatch } from "./key-watch.ts";

function stored(keyId: string): ApiKey {
  return {
    keyId,
    accountId: accountId("a1"),
    scopes: [],
    label: "",
    addresses: ["::1"],
    createdAtMs: createManualTime(0).clock.now(),
    expiresAtMs: null,
    revokedAtMs: null,
    pausedAtMs: null,
  };
}

function setup() {
  const time = createManualTime(0);
  const there = new Set(["pk_one", "pk_two"]);
  const lookups: string[] = [];
  const faults: unknown[] = [];
  let isAway = false;
  const watch = createKeyWatch({
    keys: {
      async stored(keyId) {
        lookups.push(keyId);
        if (isAway) throw new Error("the database is away");
        return there.has(keyId) ? stored(keyId) : null;
      },
      forget: () => undefined,
    },
    clock: time.clock,
    timer: time.timer,
    onFault: (cause) => void faults.push(cause),
  });
  const pass = async (ms: number): Promise<void> => {
    await time.pass(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const setAway = (is: boolean): void => {
    isAway = is;
  };
  return { watch, there, lookups, faults, pass, setAway };
}

test("only the key that has ended calls its listener, once, and no key is looked up when none waits [D12.waitEnds]", async () => {
  const { watch, there, lookups, pass } = setup();
  const ended: string[] = [];
  watch({ keyId: "pk_one", address: "::1" }).onEnded(() => ended.push("one"));
  const forget = watch({ keyId: "pk_two", address: "::1" }).onEnded(() => ended.push("two"));
  await pass(1_000);
  expect([ended, lookups]).toEqual([[], ["pk_one", "pk_two"]]);
  there.delete("pk_one");
  await pass(1_000);
  await pass(1_000);
  expect([ended, lookups.length]).toEqual([["one"], 5]);
  forget();
  there.delete("pk_two");
  await pass(1_000);
  await pass(1_000);
  expect([ended, lookups.length]).toEqual([["one"], 5]);
});

test("a key is allowed from its addresses only [D12.waitEnds]", async () => {
  const { watch } = setup();
  expect(await watch({ keyId: "pk_one", address: "::1" }).isAllowed()).toBe(true);
  expect(await watch({ keyId: "pk_one", address: "::2" }).isAllowed()).toBe(false);
  expect(await watch({ keyId: "pk_none", address: "::1" }).isAllowed()).toBe(false);
});

test("a key that cannot be looked up stays until it can [D12.waitEnds]", async () => {
  const { watch, there, faults, pass, setAway } = setup();
  let ends = 0;
  watch({ keyId: "pk_one", address: "::1" }).onEnded(() => {
    ends += 1;
  });
  there.delete("pk_one");
  setAway(true);
  await pass(1_000);
  expect([ends, faults.length]).toEqual([0, 1]);
  setAway(false);
  await pass(1_000);
  expect(ends).toBe(1);
});
