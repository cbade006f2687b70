import { describe, expect, test } from "vitest";
import { isNestedTooDeep } from "./json-depth.ts";

const lists = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

describe("how deep JSON may be nested", () => {
  test.each([
    ['"[[["', false],
    ["null", false],
    [lists(64), false],
    [lists(65), true],
    [`[1,"x",null,{"a":${lists(62)}}]`, false],
    [`[1,"x",null,{"a":${lists(63)}}]`, true],
    [lists(100_000), true],
  ])("%.30s: too deep is %s", (text, isTooDeep) => {
    expect(isNestedTooDeep(JSON.parse(text)) === isTooDeep).toBe(true);
  });
});
