import { describe, expect, test } from "vitest";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import { createManualTime } from "../testing/manual-time.ts";
import { createFailureLimits, networkOf, waitAfter } from "./failure-limits.ts";

describe("what is counted together", () => {
  test.each([
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:0db8:0001:0002::9", "2001:db8:1:2"],
    ["2001:db8::9", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["64:ff9b::192.0.2.1", "64:ff9b:0:0"],
    ["", ""],
  ])("%s counts as %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test.each([
    [-3, 0],
    [0, 0],
    [1, 30_000],
    [2, 60_000],
    [5, 480_000],
    [6, 900_000],
    [7, 900_000],
    [1e9, 900_000],
  ])("%i failures beyond the free ones cost %i ms", (beyond, waitMs) => {
    expect(waitAfter(beyond)).toBe(waitMs);
  });
});

await describeOnEachDatabase("the limits of failures", (database) => {
  const open = () => {
    const time = createManualTime(1_767_614_400_000);
    return { time, limits: createFailureLimits({ database: database(), clock: time.clock }) };
  };

  test("hold for several nodes together, also when they are asked at once", async () => {
    const nodes = [open().limits, open().limits, open().limits];
    const attempts = Array.from({ length: 30 }, (_, n) => {
      const node = nodes[n % nodes.length] ?? open().limits;
      return node.begin("shared", `198.51.100.${n}`);
    });
    const answers = await Promise.all(attempts);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(6);
  });

  test("names and addresses asked for crosswise at once do not wait for each other", async () => {
    const { limits } = open();
    const pairs = Array.from({ length: 40 }, (_, n) => [`n${n % 7}`, `10.0.0.${n % 5}`] as const);
    const answers = await Promise.all(pairs.map(([name, address]) => limits.begin(name, address)));
    expect(answers).toHaveLength(40);
  });

  test("are forgotten after a day without a failure, and leave no row", async () => {
    const { time, limits } = open();
    await time.pass(10 * 86_400_000);
    for (let count = 0; count < 6; count += 1) await limits.begin("slow", "192.0.2.7");
    expect(await limits.begin("slow", "192.0.2.7")).toEqual({ ok: false, waitMs: 30_000 });
    await time.pass(86_400_001);
    expect(await limits.begin("slow", "192.0.2.7")).toEqual({ ok: true });
    await limits.succeeded("slow", "192.0.2.7");
    await time.pass(86_400_001);
    await limits.begin(null, "192.0.2.8");
    const rows = await database().query("select subject, failures from sign_in_failures", []);
    expect(rows).toEqual([{ subject: expect.stringMatching(/^address:[\w-]{43}$/), failures: 1 }]);
  });

  test("an attempt that was not looked at is taken back", async () => {
    const { limits } = open();
    for (let count = 0; count < 20; count += 1) {
      expect(await limits.begin("busy", "192.0.2.9")).toEqual({ ok: true });
      await limits.takeBack("busy", "192.0.2.9");
    }
  });
});
