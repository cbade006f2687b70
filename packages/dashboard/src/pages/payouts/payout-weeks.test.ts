import { type CycleView, PAYOUTS_FIRST_PAGE } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { exactMoney } from "../../format/exact-money.ts";
import { formulaDigits, formulaOf, payableUsd } from "./cycle-formula.ts";
import { payoutTotals, payoutWeeks } from "./payout-weeks.ts";

const WEEK = 7 * 86_400_000;
const { items, accrual } = PAYOUTS_FIRST_PAGE;

/** The weeks of the contract's example: a profit of 500, then 400 more, at a split of 80 %. */
const FIRST: CycleView = {
  periodStartMs: 1_766_361_600_000,
  periodEndMs: 1_766_966_400_000,
  profit: 500,
  weekProfit: 500,
  mark: 0,
  gross: 500,
  share: 400,
  splitPercent: 80,
  scale: 1,
  released: 0,
  isHeld: false,
  heldBecause: null,
  payoutId: "po_1a3c5e7f-9b2d-4e6f-8a0c-2d4f6b8e0a1c_1766966400000",
};
const SECOND: CycleView = {
  ...FIRST,
  periodStartMs: FIRST.periodEndMs,
  periodEndMs: FIRST.periodEndMs + WEEK,
  profit: 900,
  weekProfit: 400,
  mark: 500,
  gross: 400,
  share: 320,
  payoutId: "po_1a3c5e7f-9b2d-4e6f-8a0c-2d4f6b8e0a1c_1767571200000",
};

const shown = (cycle: CycleView): readonly string[] => {
  const lines = formulaOf(cycle);
  const { as } = exactMoney(formulaDigits(lines));
  return lines.map(({ sign, name, amount, note }) =>
    `${sign} ${name} ${amount === null ? note : as(amount)}`.trim(),
  );
};

describe("the formula of a closed week", () => {
  test("the formula of a week contains the week's numbers", () => {
    expect(shown(SECOND)).toEqual([
      "profit to date 900.00",
      "− mark 500.00",
      "= gross 400.00",
      "× part 80 % split",
      "= share 320.00",
      "+ released 0.00",
      "= payout 320.00",
    ]);
  });

  test("the formula of a week shows as many digits as its total needs", () => {
    const odd = { ...SECOND, profit: 100.005, mark: 50.002, gross: 50.003, share: 40.0024 };
    expect(shown(odd)).toContain("= gross 50.0030");
    expect(shown(odd)).toContain("= payout 40.0024");
  });

  test("the payout of a week below the mark is zero, with the reason", () => {
    const lost = { ...SECOND, profit: 200, gross: 0, share: 0, payoutId: null };
    expect(payableUsd(lost)).toBe(0);
    expect(formulaOf(lost)[2]).toMatchObject({ amount: 0, note: "losses must be recovered first" });
  });

  test("the formula of a held week withholds the share", () => {
    const held = { ...SECOND, isHeld: true, heldBecause: "consistency", payoutId: null };
    expect(payableUsd(held)).toBe(0);
    expect(shown(held).slice(-3)).toEqual(["= share 320.00", "+ released 0.00", "= payout 0.00"]);
  });

  test("the formula of the week after a held week releases the held share", () => {
    expect(payableUsd({ ...SECOND, released: 140.1 })).toBe(460.1);
  });

  test("the formula of a week contains the scale where one applies", () => {
    expect(shown({ ...SECOND, scale: 0.2, share: 64 })[3]).toBe("× part 80 % split × 0.2 scale");
  });
});

describe("weeks and payments", () => {
  test("weeks and payments are joined, newest first", () => {
    const weeks = payoutWeeks([FIRST, SECOND], items, false);
    expect(weeks.map(({ payout }) => payout?.status)).toEqual(["pending", "paid"]);
    for (const { cycle, payout } of weeks) expect(payout?.amount).toBe(payableUsd(cycle));
  });

  test("a week that pays nothing has no payment", () => {
    const nothing = { ...SECOND, payoutId: null };
    expect(payoutWeeks([nothing], items, false)).toEqual([{ cycle: nothing, payout: null }]);
  });

  test("weeks with a payment that is not loaded yet are left out", () => {
    expect(payoutWeeks([FIRST, SECOND], items.slice(0, 1), true)).toHaveLength(1);
    expect(payoutWeeks([FIRST, SECOND], items.slice(0, 1), false)).toHaveLength(2);
  });

  test("the figures earned, paid and unpaid agree", () => {
    expect(payoutTotals([FIRST, SECOND], accrual)).toEqual({ earned: 720, unpaid: 320, paid: 400 });
    expect(payoutTotals([FIRST], null)).toEqual({ earned: 400, unpaid: null, paid: null });
  });
});
