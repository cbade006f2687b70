import { expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

test("canonical JSON sorts keys by their UTF-16 units, numbers among them too", () => {
  const value = { b: 1, "10": 2, "9": 3, "\u{1F600}": 4, "\uFB33": 5, "": 6, "\r": 7 };
  expect(canonicalJson(value)).toBe('{"":6,"\\r":7,"10":2,"9":3,"b":1,"\u{1F600}":4,"\uFB33":5}');
});

test("canonical JSON writes numbers and texts as JavaScript does, at any depth", () => {
  const value = [{ z: [1e21, 0.1, -0], a: { y: null, x: 'quote " \u0007' } }];
  expect(canonicalJson(value)).toBe('[{"a":{"x":"quote \\" \\u0007","y":null},"z":[1e+21,0.1,0]}]');
});
