import { describe, expect, test } from "vitest";
import { characterText, firstDifference, visibleText } from "./difference.ts";

describe("firstDifference", () => {
  test.each([
    ["same", "same", null],
    ["abc", "abd", { byte: 2, unit: 2, left: "c", right: "d" }],
    ["abc", "abc\n", { byte: 3, unit: 3, left: null, right: "\n" }],
    ["", "x", { byte: 0, unit: 0, left: null, right: "x" }],
    ["é=1", "é=2", { byte: 3, unit: 2, left: "1", right: "2" }],
    ["😀a", "😀b", { byte: 4, unit: 2, left: "a", right: "b" }],
    ["😀", "😁", { byte: 0, unit: 0, left: "😀", right: "😁" }],
  ])("the first difference of %j and %j is found", (left, right, difference) => {
    expect(firstDifference(left, right)).toEqual(difference);
  });

  test.each([
    ["?", "“?” U+003F"],
    ["\n", "line feed U+000A"],
    ["\u00A0", "no-break space U+00A0"],
    ["😀", "“😀” U+1F600"],
    [null, "nothing: the text ends"],
  ])("the character %j is described as %s", (character, text) => {
    expect(characterText(character)).toBe(text);
  });

  test("invisible characters become visible signs", () => {
    expect(visibleText("a b\tc\r\n\u200B")).toBe("a␣b⇥c␍↵▯");
  });
});
