import type { PlantedBug } from "./planted-bugs.ts";

/** Mistakes with the splits, rates, blocked pairs, catalogues and sources that operators and firms set. */
export const PLANTED_PRICE_BUGS: readonly PlantedBug[] = [
  {
    name: "a split that leaves the number of shares",
    harm: "every holder of the share loses half of the position's value at the moment",
    edits: [
      {
        file: "packages/core/src/positions/carry-out-split.ts",
        from: "  const open = splitQuantityExactly(position.quantity, split);\n",
        to: "  const open = position.quantity;\n",
      },
    ],
    tests: ["packages/core/src/network/split.property.test.ts"],
  },
  {
    name: "funding that a short pays",
    harm: "a short that should receive the hour's funding is charged for it",
    edits: [
      {
        file: "packages/core/src/account/charge-carry.ts",
        from: '    const sign = position.direction === "long" ? 1 : -1;\n',
        to: "    const sign = 1;\n",
      },
    ],
    tests: ["packages/core/src/account", "packages/core/src/scenarios"],
  },
  {
    name: "a blocked pair that takes entries",
    harm: "accounts open positions on a pair that the firm has closed for opening",
    edits: [
      {
        file: "packages/core/src/orders/guards.ts",
        from: '  if (blocked) return { code: "blockedPair", pair };\n',
        to: "",
      },
    ],
    tests: ["packages/core/src/orders", "packages/server/src/start/blocked-pairs.test.ts"],
  },
  {
    name: "a start that does not compare its catalogue with what is held",
    harm: "an open position changes its worth by the new lot size, or loses its pair",
    edits: [
      {
        file: "packages/market/src/catalogue/catalogue-in-force.ts",
        from: "  return holders.size > 0 ? unfitSettingsError([...holders]) : null;\n",
        to: "  return null;\n",
      },
    ],
    tests: ["packages/market/src/catalogue/catalogue-in-force.test.ts"],
  },
  {
    name: "an operator's source that another one replaces",
    harm: "orders fill at a source that the operator has ruled out while the chosen one is silent",
    edits: [
      {
        file: "packages/market/src/prices/composition/pair-feed.ts",
        from: '    if (chosen.kind === "use" && chosen.source !== name) return [];\n',
        to: "",
      },
    ],
    simulation: { faults: "none", steps: 100, checker: "chosen sources" },
    tests: ["packages/market/src/prices/composition"],
  },
];
