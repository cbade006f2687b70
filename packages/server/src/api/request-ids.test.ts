import { expect, test } from "vitest";
import { createSeededChance } from "../base/random.ts";
import { createRequestIds } from "./request-ids.ts";

test("every request has a unique id, also after a restart [D2.help]", () => {
  const first = createRequestIds(createSeededChance("a"));
  const second = createRequestIds(createSeededChance("b"));
  const ids = [first(), first(), second()];
  expect(new Set(ids).size).toBe(3);
});
