import { describe, expect, test } from "vitest";
import { passwordProblem } from "./password.ts";

describe("passwordProblem", () => {
  test.each([
    ["", "12 more characters"],
    ["eleven char", "1 more character"],
    ["twelve chars", null],
    ["x".repeat(256), null],
    ["x".repeat(257), "At most 256 characters"],
    // The emoji of a key has two UTF-16 units, but a person counts it as one character.
    ["🔑".repeat(11), "1 more character"],
    ["🔑".repeat(256), null],
  ])('passwordProblem judges the password "%s"', (password, problem) => {
    expect(passwordProblem(password)).toBe(problem);
  });
});
