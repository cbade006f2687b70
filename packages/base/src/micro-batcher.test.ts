import { describe, expect, test } from "vitest";
import { createMicroBatcher } from "./micro-batcher.ts";

describe("micro batches", () => {
  test("what arrives while a batch is under way goes together into the next", async () => {
    const batches: (readonly number[])[] = [];
    const doors: (() => void)[] = [];
    const { submit } = createMicroBatcher<number, number>({
      batchMax: 3,
      concurrentMax: 1,
      run: async (items) => {
        batches.push(items);
        await new Promise<void>((open) => doors.push(open));
        return items.map((item) => item * 10);
      },
    });
    const first = [1, 2].map(submit);
    await turns();
    const rest = [3, 4, 5, 6].map(submit);
    await turns();
    expect(batches).toEqual([[1, 2]]);
    for (let opened = 0; opened < 3; opened += 1) {
      doors[opened]?.();
      await turns();
    }
    expect(batches).toEqual([[1, 2], [3, 4, 5], [6]]);
    expect(await Promise.all([...first, ...rest])).toEqual([10, 20, 30, 40, 50, 60]);
  });

  test("a batch that fails fails for each of its items, and the next goes on", async () => {
    let fails = true;
    const { submit, idle } = createMicroBatcher<number, number>({
      batchMax: 2,
      concurrentMax: 1,
      run: async (items) => {
        if (fails) throw new Error("the database is gone");
        return items;
      },
    });
    const answers = await Promise.allSettled([submit(1), submit(2)]);
    expect(answers.map((answer) => answer.status)).toEqual(["rejected", "rejected"]);
    fails = false;
    expect(await submit(3)).toBe(3);
    await idle();
  });
});

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((next) => setImmediate(next));
}
