import { describe, expect, test } from "vitest";
import { venueText } from "./venue-text.ts";

describe("a venue's own words", () => {
  test.each([
    ["not authorized", "not authorized"],
    ["key abc-123-key is unknown", "key [redacted] is unknown"],
    ["two\nlines\u001b[31m and more", "two lines [31m and more"],
    ["x".repeat(500), "x".repeat(120)],
    [null, ""],
    [{ message: "no" }, ""],
  ])("a venue's words %j become %j", (given, text) => {
    expect(venueText(given, ["abc-123-key"])).toBe(text);
  });
});
