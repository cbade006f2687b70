import { expect, test } from "vitest";
import { seededChance } from "../base/random.ts";
import { requestIds } from "./request-ids.ts";

test("every request has a unique id, also after a restart [D2.help]", () => {
  const first = requestIds(seededChance("a"));
  const second = requestIds(seededChance("b"));
  const ids = [first(), first(), second()];
  expect(new Set(ids).size).toBe(3);
});
