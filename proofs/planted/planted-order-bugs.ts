import type { PlantedBug } from "./planted-bugs.ts";

const ORDERS = "packages/core/src/orders";
/**
 * Only the property test that compares random orders with the reference model counts as a catcher. The stories, which
 * test one rule each, do not count.
 */
const RANDOM = ["packages/core/src/network/orders.property.test.ts"];

/** Mistakes in what quotes, edits and legs do to orders and positions. */
export const PLANTED_ORDER_BUGS: readonly PlantedBug[] = [
  {
    name: "an exit that opens the other side",
    harm: "the quote that closes a position opens one on its other side, without a stop",
    edits: [
      {
        file: "packages/core/src/positions/exit.ts",
        from: "    if (entryReaction(order, quote) === null) continue;\n",
        to: "    if (entryReaction(order, quote) !== undefined) continue;\n",
      },
    ],
    tests: RANDOM,
  },
  {
    name: "a target that fills before the orders that reduce",
    harm: "the order of placement decides the remaining position of a trader who scales out",
    edits: [
      {
        file: "packages/core/src/network/settle.ts",
        from: "reduce: 2, takeProfit: 3,",
        to: "reduce: 3, takeProfit: 2,",
      },
    ],
    tests: RANDOM,
  },
  {
    name: "a leg below the grid that closes everything",
    harm: "a target for 0.01 of the minimum step sells the whole position",
    edits: [
      {
        file: `${ORDERS}/bracket.ts`,
        from: "nearest === 0 ? step : nearest",
        to: "nearest === 0 ? open : nearest",
      },
      {
        file: `${ORDERS}/leg-size.ts`,
        from: '    return refusal.code === "sizeBelowGrid" ? { ...refusal, leg: index } : refusal;',
        to: '    if (refusal.code !== "sizeBelowGrid") return refusal;',
      },
    ],
    tests: RANDOM,
  },
  {
    name: "an edit that lets a trailing stop fall back",
    harm: "a stop that had followed the price is further away after an edit of the target",
    edits: [
      {
        file: `${ORDERS}/edit.ts`,
        from: "isSameTrailing(before.trailing, trailing)\n    ? {}\n",
        to: "isSameTrailing(before.trailing, trailing)\n    ? { bestPrice: mark.price }\n",
      },
    ],
    tests: RANDOM,
  },
  {
    name: "an edit that takes a share of the remaining position",
    harm: "after one of two halves has filled and the other is edited, a quarter stays open",
    edits: [
      { file: `${ORDERS}/edit.ts`, from: "shareOf: whole,", to: "shareOf: position.quantity," },
    ],
    tests: RANDOM,
  },
  {
    name: "legs of one request that are rounded alone",
    harm: "ten targets of 10 % of 0.05 lots have sold the whole position after five",
    edits: [
      {
        file: "packages/core/src/state/ladder.ts",
        from: "return isAlone ? null :",
        to: "return isAlone || share > 0 ? null :",
      },
    ],
    tests: RANDOM,
  },
  {
    name: "a limit of pending orders that does not count legs",
    harm: "legs exceed the limit of 100, and then every order is refused, even an exit",
    edits: [
      {
        file: `${ORDERS}/guards.ts`,
        from: '  return "legs" in order ? 1 + order.legs.length : 1;',
        to: '  return "legs" in order ? 1 : 1;',
      },
    ],
    tests: RANDOM,
  },
  {
    name: "legs of a reducing order that are dropped silently",
    harm: "a trader believes in a stop that was accepted and never existed",
    edits: [
      {
        file: `${ORDERS}/entry.ts`,
        from: '!mayHaveLegs ? { code: "legsOnReducing", pair } : null',
        to: "!mayHaveLegs ? null : null",
      },
      {
        file: `${ORDERS}/fill.ts`,
        from: 'if (hasLegs && entry.kind === "market")',
        to: 'if (hasLegs && entry.kind !== "market" && entry.kind !== "limit")',
      },
      {
        file: `${ORDERS}/fill.ts`,
        from: "legsDropped: hasLegs,",
        to: "legsDropped: false,",
      },
    ],
    tests: RANDOM,
  },
];
