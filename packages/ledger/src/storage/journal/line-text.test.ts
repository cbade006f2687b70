import { hash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryCharacter } from "../../../../../test/environment/arbitrary-character.ts";
import { propertySettings } from "../../../../../test/environment/depth.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { decodePhrases, encodePhrases } from "./line-text.ts";

const FILL =
  '{"type":"orderFilled","orderUuid":"719adead","positionUuid":"f315a4d1","kind":"market","pair":"BTCUSD",' +
  '"direction":"long","effect":"add","price":50000,"slippage":0,"quantity":96,"value":99857165,' +
  '"leverage":0.00099,"fee":29957,"realizedPnl":0,"bindingCap":null,"usdRate":1,"atMs":1767614400000}';
const STORED_FILL =
  "\u0001719adead\u0002f315a4d1\u0003BTCUSD\u0004add\u000650000\u000796\f99857165" +
  "\u000e0.00099\u000f29957\u00101\u00131767614400000}";
const CANCEL =
  '{"type":"orderCancelled","orderUuid":"719adead","reason":"owner","detail":null,"atMs":1767614400000}';
const STORED_CANCEL = "\u001f1719adead\u001f4\u00131767614400000}";

/**
 * The codes of all phrases, in the order of the list of phrases. Stored lines contain them, so they must never change.
 */
const CODES = Array.from(
  "\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008\u000b\u000c\u000e\u000f\u0010\u0011\u0012" +
    "\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e" +
    "0123456789:;<=>?@ABCDEFGHI",
  (code) => (code < " " ? code : `\u001f${code}`),
);

/** Texts of lines: names and values of events, in any order and nesting, with any character in their strings. */
const LINES = fc
  .array(
    fc.oneof(
      fc.constantFrom(...decodePhrases(CODES.join("\n")).split("\n")),
      fc.json(),
      fc.string({ unit: arbitraryCharacter }).map((text) => JSON.stringify(text)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

describe("the text of a journal line", () => {
  test.each([
    [FILL, STORED_FILL],
    [CANCEL, STORED_CANCEL],
  ])("%s is stored in a short form for ever", (json, stored) => {
    expect(encodePhrases(json)).toBe(stored);
    expect(decodePhrases(stored)).toBe(json);
  });

  test("each code keeps its phrase for ever", () => {
    const phrases = CODES.map(decodePhrases);
    expect(phrases.filter((phrase) => phrase.length < 5)).toEqual([]);
    expect(new Set(phrases).size).toBe(CODES.length);
    expect(hash("sha256", phrases.join("\n"))).toBe(
      "f156a33e9088753cd4ac765539ca33036292cd31ce75e6b629cc7aac7a38f6f4",
    );
  });

  test("a text without codes is its own", () => {
    for (const json of [FILL, CANCEL]) expect(decodePhrases(json)).toBe(json);
  });

  test("every text comes back to the byte, and none is longer than before", () => {
    fc.assert(
      fc.property(LINES, (json) => {
        const stored = encodePhrases(json);
        return decodePhrases(stored) === json && stored.length <= json.length;
      }),
      propertySettings(5_000),
    );
  });
});

await describeOnEachDatabase("journal_text", (database) => {
  test("journal_text returns the same JSON as the service", async () => {
    const stored = [...CODES, STORED_FILL, STORED_CANCEL, FILL, '["plain"]'];
    const rows = await database().query<{ json: string }>(
      `select journal_text(stored) as json from unnest($1::text[]) with ordinality as s (stored, place)
       order by place`,
      [stored],
    );
    expect(rows.map(({ json }) => json)).toEqual(stored.map(decodePhrases));
  });
});
