import { describe, expect, test } from "vitest";
import { csvOf } from "./csv.ts";

const ONE = [{ head: "cell", cell: (value: string | number | null) => value }];
const cellOf = (value: string | number | null): string =>
  csvOf(ONE, [value]).slice("cell\r\n".length, -"\r\n".length);

describe("comma-separated values", () => {
  test("a file has a header and one terminated line per row, without a byte order mark", () => {
    const columns = [
      { head: "pair", cell: ({ pair }: { pair: string; pnl: number }) => pair },
      { head: "pnl", cell: ({ pnl }: { pair: string; pnl: number }) => pnl },
    ];
    expect(csvOf(columns, [{ pair: "BTCUSD", pnl: -500.25 }])).toBe(
      "pair,pnl\r\nBTCUSD,-500.25\r\n",
    );
  });

  test.each([
    ["a,b", '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ["two\nlines", '"two\nlines"'],
    ["plain", "plain"],
    [null, ""],
    [0.1 + 0.2, "0.30000000000000004"],
    [1e-7, "0.0000001"],
  ])("the value %j is written %s", (value, cell) => {
    expect(cellOf(value)).toBe(cell);
  });

  test.each(["=1+1", "+1", "-1", "@sum", "\tx"])(
    "the text %j is not computed by a spreadsheet",
    (text) => {
      expect(cellOf(text)).toBe(`'${text}`);
    },
  );

  test("a formula that needs quotes is made harmless inside them", () => {
    expect(cellOf('=HYPERLINK("x",1)')).toBe('"\'=HYPERLINK(""x"",1)"');
  });

  test("a negative number stays a number", () => {
    expect(cellOf(-12.5)).toBe("-12.5");
  });
});
