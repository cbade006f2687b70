import { expect, test } from "vitest";
import { type ListColumns, listStatement } from "./row-lists.ts";

interface Lists {
  readonly fruits: { readonly name: string; readonly grams: number };
  readonly boxes: { readonly id: string };
}

const FRUITS: ListColumns<Lists["fruits"]> = [
  ["name", "text", (fruit) => fruit.name],
  ["grams", "bigint", (fruit) => fruit.grams],
];
const BOXES: ListColumns<Lists["boxes"]> = [["id", "uuid", (box) => box.id]];

test("a list statement numbers its parameters in the order in which it passes them", () => {
  const statement = listStatement<Lists>(
    { fruits: FRUITS, boxes: BOXES },
    (from) => `${from.boxes} and ${from.fruits}`,
    2,
  );
  expect(statement.text).toBe("unnest($4::uuid[]) and unnest($2::text[], $3::bigint[])");
  const fruits = [
    { name: "fig", grams: 40 },
    { name: "plum", grams: 60 },
  ];
  expect(statement.parameters({ boxes: [{ id: "b" }], fruits })).toEqual([
    ["fig", "plum"],
    [40, 60],
    ["b"],
  ]);
});

test("a column added to one list moves the numbers of the lists behind it", () => {
  const wider: ListColumns<Lists["fruits"]> = [...FRUITS, ["colour", "text", () => "red"]];
  const statement = listStatement<Lists>(
    { fruits: wider, boxes: BOXES },
    (from) => `${from.fruits} ${from.boxes}`,
  );
  expect(statement.text).toBe("unnest($1::text[], $2::bigint[], $3::text[]) unnest($4::uuid[])");
});
