import { expect, test } from "vitest";
import { TEST_TERMS } from "../../../server/src/testing/counting-decider.ts";
import { createSharedTerms } from "./shared-terms.ts";

test("accounts with equal terms share one object, and those with others do not", () => {
  const shared = createSharedTerms();
  const [one, same] = [{ ...TEST_TERMS }, { ...TEST_TERMS }];
  const other = { ...TEST_TERMS, programVersion: 2 };
  expect(shared(one)).toBe(one);
  expect(shared(same)).toBe(one);
  expect(shared(other)).toBe(other);
  expect(shared({ ...other })).toBe(other);
});
