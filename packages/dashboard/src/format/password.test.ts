import { describe, expect, test } from "vitest";
import { passwordProblem } from "./password.ts";

describe("passwordProblem", () => {
  test.each([
    ["", "12 more characters"],
    ["eleven char", "1 more character"],
    ["twelve chars", null],
    ["x".repeat(256), null],
    ["x".repeat(257), "At most 256 characters"],
    // Each is two UTF-16 units in memory and one character to the person.
    ["🔑".repeat(11), "1 more character"],
    ["🔑".repeat(256), null],
  ])('passwordProblem judges the password "%s"', (password, problem) => {
    expect(passwordProblem(password)).toBe(problem);
  });
});
