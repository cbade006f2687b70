import { unixMs } from "@propgate/core";
import { beforeEach, expect, test } from "vitest";
import { openLog } from "../../../base/src/log.ts";
import { createSeededChance } from "../../../base/src/random.ts";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import {
  createOperatorTokens,
  OPERATOR_TOKENS_MAX,
  type OperatorTokens,
} from "./operator-tokens.ts";

const NOON = 1_767_614_400_000;
const HOUR_MS = 3_600_000;
const CREATED = { createdBy: "operator token root", lifeMs: HOUR_MS };

await describeOnEachDatabase("named operator tokens", (database) => {
  const time = createManualTime(NOON);
  beforeEach(() => database().query("delete from operator_tokens"));
  const node = (over: Database, seed: string): OperatorTokens =>
    createOperatorTokens({
      database: over,
      clock: time.clock,
      chance: createSeededChance(seed),
      log: openLog("silent"),
    });
  const add = async (tokens: OperatorTokens, name: string): Promise<string> => {
    const made = await tokens.add({ name, ...CREATED });
    if (typeof made === "string") throw new Error(made);
    return made.secret;
  };

  test("a token is found by its value alone, and only its hash is stored", async () => {
    const tokens = node(database(), "one");
    const secret = await add(tokens, "ci");
    expect(secret).toMatch(/^propgate_op_[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}$/);
    expect(await tokens.find(secret, "127.0.0.1")).toMatchObject({ name: "ci" });
    const last = secret.endsWith("0") ? "1" : "0";
    for (const other of ["", "propgate_op_", `${secret}0`, secret.slice(0, -1) + last]) {
      expect(await tokens.find(other, "127.0.0.1")).toBeNull();
    }
    const rows = await database().query("select * from operator_tokens", []);
    expect(JSON.stringify(rows)).not.toContain(secret.slice(12, 40));
  });

  test("the list has the last use, and a name is never used twice", async () => {
    const tokens = node(database(), "two");
    const nowMs = time.clock.now();
    const secret = await add(tokens, "monitor");
    await tokens.find(secret, "192.0.2.7");
    const listed = await tokens.list();
    expect(listed.find(({ name }) => name === "monitor")).toEqual({
      name: "monitor",
      createdBy: "operator token root",
      createdAtMs: nowMs,
      expiresAtMs: unixMs(nowMs + HOUR_MS),
      revokedAtMs: null,
      lastUsedAtMs: nowMs,
      lastUsedFrom: "192.0.2.7",
    });
    expect(await tokens.revoke("monitor")).toBe(true);
    expect(await tokens.revoke("monitor")).toBe(false);
    expect(await tokens.add({ name: "monitor", ...CREATED })).toBe("taken");
  });

  test("another node knows of a token and of its revocation a second later", async () => {
    const [one, other] = [node(database(), "three"), node(database(), "four")];
    await other.find(await add(one, "before"), "::1");
    const secret = await add(one, "shared");
    await time.pass(1_000);
    expect(await other.find(secret, "::1")).toMatchObject({ name: "shared" });
    await one.revoke("shared");
    expect(await one.find(secret, "::1")).toBeNull();
    await time.pass(1_000);
    expect(await other.find(secret, "::1")).toBeNull();
  });

  test("a token expires to the millisecond, also while it is cached", async () => {
    const tokens = node(database(), "five");
    const secret = await add(tokens, "short");
    await time.pass(HOUR_MS - 1);
    expect(await tokens.find(secret, "::1")).toMatchObject({ name: "short" });
    await time.pass(1);
    expect(await tokens.find(secret, "::1")).toBeNull();
  });

  test("guessed tokens cost the database one query a second", async () => {
    const counted = { queries: 0 };
    const over: Database = {
      ...database(),
      query: (text, values) => {
        counted.queries += 1;
        return database().query(text, values);
      },
    };
    const secret = await add(node(database(), "six"), "spent");
    await node(database(), "seven").revoke("spent");
    const tokens = node(over, "eight");
    await Promise.all(Array.from({ length: 500 }, () => tokens.find(secret, "::1")));
    for (let call = 0; call < 100; call += 1) await tokens.find(secret, "::1");
    expect(counted.queries).toBe(1);
  });

  test("the max number of tokens in force holds for two concurrent nodes", async () => {
    const nodes = [node(database(), "nine"), node(database(), "ten")];
    const made = await Promise.all(
      Array.from({ length: OPERATOR_TOKENS_MAX + 20 }, (_, index) =>
        nodes[index % 2]?.add({ name: `many-${index}`, ...CREATED }),
      ),
    );
    expect(made.filter((one) => one === "full").length).toBeGreaterThanOrEqual(20);
    const active = (await nodes[0]?.list())?.filter(
      ({ revokedAtMs, expiresAtMs }) => revokedAtMs === null && expiresAtMs > time.clock.now(),
    );
    expect(active?.length).toBe(OPERATOR_TOKENS_MAX);
  });
});
