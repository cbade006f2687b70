import { describe, expect, test } from "vitest";
import { tableLines } from "../output.ts";
import { shareBar, sparkline } from "./chart.ts";
import { csvOf } from "./csv.ts";
import { decimalText, moneyText, percentText, signedMoneyText, timeText } from "./figures.ts";

describe("figures", () => {
  test("money is to the cent, with its sign where it is a change, a tiny price is no zero, and unknown is none", () => {
    expect([
      moneyText(1234.5),
      moneyText(0),
      moneyText(-0.001),
      moneyText(null),
      moneyText(undefined),
    ]).toEqual([...["1,234.50", "0.00", "0.00", "--", "--"]]);
    expect([
      signedMoneyText(12),
      signedMoneyText(-3.456),
      signedMoneyText(0.001),
      signedMoneyText(null),
    ]).toEqual([...["+12.00", "-3.46", "0.00", "--"]]);
    expect([
      decimalText(1.234567891),
      decimalText(0.000004123456789),
      decimalText(0.3 * 3e-9),
    ]).toEqual([...["1.23456789", "0.0000041234568", "0.0000000009"]]);
    expect([
      percentText(5),
      decimalText(0.00001),
      decimalText(50_010.25),
      timeText(null),
      timeText(0),
    ]).toEqual([...["5.00%", "0.00001", "50,010.25", "--", "1970-01-01 00:00:00Z"]]);
  });
});

describe("charts", () => {
  test("a line runs from its least to its greatest value", () => {
    expect(sparkline([1, 2, 3, 8], 80)).toBe("▁▂▃█");
    expect(sparkline([5, 5], 80)).toBe("▄▄");
    expect(sparkline([1, 2, 3], 2)).toBe("▁█");
    expect(sparkline([], 80)).toBe("");
  });

  test("a bar is full at its limit and dotted when nothing is known", () => {
    expect([
      shareBar(0, 4),
      shareBar(0.5, 4),
      shareBar(1, 4),
      shareBar(2, 4),
      shareBar(null, 4),
    ]).toEqual([...["░░░░", "██░░", "████", "████", "····"]]);
  });
});

describe("CSV", () => {
  test("CSV quotes as RFC 4180 has it, and gives what is nested columns of its own", () => {
    const rows = [
      { id: "a", size: { quantity: 1.5 }, note: 'say "x", then\ny' },
      { id: "b", size: { quantity: null }, more: [1, 2] },
    ];
    expect(csvOf(rows)).toBe(
      'id,size.quantity,note,more\r\na,1.5,"say ""x"", then\ny",\r\nb,,,"[1,2]"\r\n',
    );
  });

  test.each(["=1+1", "+1", "-1", "@x", "\tx", "\rx"])("%j is no formula", (text) => {
    expect(csvOf([{ text }])).toContain(`'${text}`);
  });

  test("a number below zero stays a number", () => {
    expect(csvOf([{ pnl: -1.5 }])).toBe("pnl\r\n-1.5\r\n");
  });

  test("known columns come first, and are the header of a list without rows", () => {
    expect(csvOf([], ["id", "pnl"])).toBe("id,pnl\r\n");
    expect(csvOf([{ pnl: 1, more: 2, id: "a" }], ["id", "pnl"])).toBe("id,pnl,more\r\na,1,2\r\n");
  });
});

describe("tables", () => {
  test("colours take no room, and numbers stand at the right, unknown ones too", () => {
    const red = (text: string): string => `\u001b[31m${text}\u001b[39m`;
    expect(
      tableLines(
        ["pair", "pnl"],
        [
          ["A", red("-1.00")],
          ["B", "--"],
          ["C", "+10.00"],
        ],
      ),
    ).toEqual([
      "PAIR  PNL".replace("PNL", "   PNL"),
      `A      ${red("-1.00")}`,
      "B         --",
      "C     +10.00",
    ]);
  });

  test("a row that is too wide is a block, without the names of its empty cells", () => {
    const wide = "x".repeat(80);
    expect(tableLines(["id", "stop", "more"], [[wide, "--", ""]])).toEqual([
      `id    ${wide}`,
      "stop  --",
      "",
    ]);
  });
});
