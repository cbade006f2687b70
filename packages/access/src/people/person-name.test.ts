import { describe, expect, test } from "vitest";
import { hasOneScript, hasOnlyVisibleCharacters, isFreeForPeople } from "./person-name.ts";

describe("a name of a person", () => {
  test.each([
    "owner",
    "Ann Miller",
    "ann.miller_2-x@desk",
    "Zoë Müller",
    "Søren Ångström",
    "Анна",
    "Αλέξανδρος",
    "山田たろう",
    "ヤマダー",
    "김철수",
    "王小明",
    "آنا",
    "אנה",
    "आना",
    "ＯＷＮＥＲ",
    "O'Neill 3",
  ])("%s may be a person's name", (name) => {
    expect([hasOnlyVisibleCharacters(name), hasOneScript(name)]).toEqual([true, true]);
  });

  test.each([
    ["a zero-width space", "ow\u200Bner"],
    ["a joiner", "ow\u200Dner"],
    ["a mark of direction", "owner\u202E"],
    ["a soft hyphen", "ow\u00ADner"],
    ["a filler that counts as a letter", "owner\u3164"],
    ["a variation selector", "owner\uFE0F"],
    ["a line separator", "ow\u2028ner"],
    ["a space that is none", "own\u00A0er"],
    ["a letter of private use", "own\uE000er"],
    ["half of a character", "own\uD800er"],
  ])("a name with %s is refused", (_, name) => {
    expect(hasOnlyVisibleCharacters(name)).toBe(false);
  });

  test.each([
    ["a Cyrillic o", "\u043Ewner"],
    ["a Greek omicron", "\u03BFwner"],
    ["a Cherokee letter", "\u13A0wner"],
    ["Arabic beside Latin", "owner \u0622\u0646\u0627"],
    ["Hangul beside Hiragana", "\uAE40\u3042"],
  ])("a name with %s is refused", (_, name) => {
    expect(hasOneScript(name)).toBe(false);
  });

  test.each([
    "operator token root",
    "Operator  Token shop",
    "ｏperator token",
    "gap check",
    "Split Check",
    "service",
  ])("%s is refused, because records have it for a token or for the service", (name) => {
    expect(isFreeForPeople(name)).toBe(false);
  });

  test.each(["operator", "Operator Tokenova", "Ann of the service", "gap checker"])(
    "%s is free for a person",
    (name) => {
      expect(isFreeForPeople(name)).toBe(true);
    },
  );
});
