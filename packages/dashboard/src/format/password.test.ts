import { describe, expect, test } from "vitest";
import { passwordProblem } from "./password.ts";

describe("passwordProblem", () => {
  test.each([
    ["", "12 more characters"],
    ["eleven char", "1 more character"],
    ["twelve chars", null],
    ["x".repeat(256), null],
    ["x".repeat(257), "At most 256 characters"],
    // Each key is two UTF-16 units and one character to a person.
    ["🔑".repeat(11), "1 more character"],
    ["🔑".repeat(256), null],
  ])('passwordProblem judges the password "%s"', (password, problem) => {
    expect(passwordProblem(password)).toBe(problem);
  });
});
