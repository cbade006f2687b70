import { expect, test } from "vitest";
import { cleanUpAfter } from "./clean-up.ts";

test("a step of the clean-up that fails hides no cause and stops no later step", async () => {
  const cause = new Error("the start failed");
  const done: string[] = [];
  const step = (name: string, error: Error | null) => async () => {
    done.push(name);
    if (error !== null) throw error;
  };
  const refused = step("second", new Error("the database is away"));
  const work = async () => {
    throw await cleanUpAfter(cause, step("first", null), refused, step("third", null));
  };
  await expect(work()).rejects.toBe(cause);
  expect(done).toEqual(["first", "second", "third"]);
});
