import { expect, test } from "vitest";
import { entityTag, hasEntityTag } from "./entity-tag.ts";

test("a tag depends on the bytes alone", () => {
  expect(entityTag(Buffer.from("a"))).toBe(entityTag(Buffer.from("a")));
  expect(entityTag(Buffer.from("a"))).not.toBe(entityTag(Buffer.from("b")));
  expect(entityTag(Buffer.from("a"))).toMatch(/^"[\w-]{22}"$/);
});

test.each([
  [undefined, false],
  ["", false],
  ['"x"', true],
  ['W/"x"', true],
  ['"y", "x"', true],
  ["*", true],
  ["x", false],
  ['"xx"', false],
])("If-None-Match %s names it: %s", (header, named) => {
  expect(hasEntityTag(header, '"x"')).toBe(named);
});
