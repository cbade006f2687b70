import { expect, test } from "vitest";
import { differingFields } from "./differing-fields.ts";

test("the fields of two events are compared by their path", () => {
  const decided = { type: "orderFilled", price: 50_000, of: { cap: 2, kind: "pair" }, legs: [1] };
  const written = { type: "orderFilled", price: 51_000, of: { cap: 2 }, legs: [1, 2] };
  expect(differingFields(JSON.stringify(decided), JSON.stringify(written))).toEqual([
    { field: "price", decided: "50000", written: "51000" },
    { field: "of.kind", decided: "pair", written: "-" },
    { field: "legs.1", decided: "-", written: "2" },
  ]);
});

test("a stored text that is not valid JSON is shown as it is", () => {
  expect(differingFields('{"price":1}', "torn")).toEqual([
    { field: "price", decided: "1", written: "-" },
    { field: "", decided: "-", written: "torn" },
  ]);
});

test("equal events differ in no field", () => {
  expect(differingFields('{"price":1,"fee":2}', '{"fee":2,"price":1}')).toEqual([]);
});
