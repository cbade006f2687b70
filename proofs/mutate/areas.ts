/** A part of the service whose tests must notice small faults in its code. */
export interface MutationArea {
  /** Patterns of the files that get faults; `!` excludes files. */
  readonly mutate: readonly string[];
  /** Patterns of the tests that must notice the faults: the area's own tests and tests that use it. */
  readonly tests: readonly string[];
  /** The minimum percentage of faults that the tests must notice. */
  readonly floorPct: number;
}

const FLOOR_PCT = 90;
/** All tests of the core except the long run of random lives. */
const CORE_TESTS = ["packages/core/src/**/!(life.property).test.ts"];
const NO_TESTS = "!**/*.test.ts";

/** The areas whose tests are measured, by name. */
export const MUTATION_AREAS = {
  /** The canonical string of a signature, and the form of credentials. */
  signer: {
    mutate: ["packages/contract/src/signing*.ts", "packages/contract/src/credentials.ts", NO_TESTS],
    tests: ["packages/contract/src/signing.test.ts", "packages/contract/src/credentials.test.ts"],
    floorPct: FLOOR_PCT,
  },
  /** Every check between a socket and an endpoint. */
  gates: {
    mutate: ["packages/server/src/api/gates/**/*.ts", NO_TESTS],
    tests: [
      "packages/server/src/api/gates/*.test.ts",
      "packages/server/src/api/routes/place-order/429.test.ts",
    ],
    floorPct: FLOOR_PCT,
  },
  /** The size of an order: sizes, caps, buying power, and the grids of lots and ticks. */
  sizing: {
    mutate: [
      "packages/core/src/orders/{caps,sizing}.ts",
      "packages/core/src/market/{lot-grid,lot-unit,tick}.ts",
      "packages/core/src/account/buying-power.ts",
      NO_TESTS,
    ],
    tests: CORE_TESTS,
    floorPct: FLOOR_PCT,
  },
  /** The loss limits. */
  drawdown: {
    mutate: ["packages/core/src/rules/*.ts", NO_TESTS],
    tests: CORE_TESTS,
    floorPct: FLOOR_PCT,
  },
  /** The payout cycles. */
  payouts: {
    mutate: ["packages/core/src/payouts/*.ts", NO_TESTS],
    tests: CORE_TESTS,
    floorPct: FLOOR_PCT,
  },
} as const satisfies Readonly<Record<string, MutationArea>>;

export type MutationAreaName = keyof typeof MUTATION_AREAS;

export const MUTATION_AREA_NAMES = ["signer", "gates", "sizing", "drawdown", "payouts"] as const;
