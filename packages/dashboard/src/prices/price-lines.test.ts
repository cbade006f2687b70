import {
  ACCOUNT_STATIC,
  type Account,
  type Linked,
  PENDING_ORDERS,
  POSITIONS,
} from "@propgate/contract";
import { expect, test } from "vitest";
import { priceLines } from "./price-lines.ts";

const [position] = POSITIONS;
if (position === undefined) throw new Error("the examples have a position");

const rules = ACCOUNT_STATIC.drawdownRules;
if (rules === null) throw new Error("the example's account has limits");
const accountWith = (prices: readonly (number | null)[]): Account<Linked> => ({
  ...ACCOUNT_STATIC,
  drawdownRules: {
    ...rules,
    limits: rules.limits.map((limit, index) => ({ ...limit, breachPrice: prices[index] ?? null })),
  },
});
const namesOf = (account: Account<Linked> | null, positions: number) =>
  priceLines(position, { orders: PENDING_ORDERS, account, positions }).map(
    ({ name, price }) => `${name} ${price}`,
  );

test("a position has lines for its entry, and the stop and target of its legs", () => {
  const leg = PENDING_ORDERS.find(({ positionUuid }) => positionUuid === position.positionUuid);
  expect(namesOf(null, 1)).toEqual([
    `Entry ${position.averageEntryPrice}`,
    ...(leg?.stopLoss == null ? [] : [`Stop ${leg.stopLoss}`]),
    ...(leg?.takeProfit == null ? [] : [`Target ${leg.takeProfit}`]),
  ]);
  expect(namesOf(null, 1).length).toBeGreaterThan(1);
});

test("a position whose entry the network did not send has no line for it", () => {
  const about = { orders: [], account: null, positions: 1 };
  expect(priceLines({ ...position, averageEntryPrice: null }, about)).toEqual([]);
});

test("limits that are breached at one price share a line, and an unknown price has none", () => {
  expect(namesOf(accountWith([80_000, 80_000]), 1).at(-1)).toBe(
    "Breach: daily loss, maximum loss 80000",
  );
  expect(namesOf(accountWith([null, 79_000]), 1).at(-1)).toBe("Breach: maximum loss 79000");
});

test("one of several positions has the price at which it alone ends the account [D12.breachAlone]", () => {
  const several = namesOf(accountWith([80_000, 80_000]), 2);
  expect(several.slice(0, -1)).toEqual(namesOf(null, 1));
  expect(several.at(-1)).toBe(`Breach: if other prices stay the same ${position.breachPriceAlone}`);
  const about = { orders: [], account: null, positions: 2 };
  expect(priceLines({ ...position, breachPriceAlone: null }, about)).toHaveLength(1);
});
