/** A part of the service whose tests are held against small faults put into its code. */
export interface MutationArea {
  /** Where the faults are put; `!` leaves out. */
  readonly mutate: readonly string[];
  /** What has to notice them: the area's own tests and those that go through it. */
  readonly tests: readonly string[];
  /** Percent of the faults that have to be noticed. */
  readonly floorPct: number;
}

const FLOOR_PCT = 90;
/** All of the core's tests that take no long run of random lives. */
const CORE_TESTS = ["packages/core/src/**/!(life.property).test.ts"];
const NO_TESTS = "!**/*.test.ts";

export const MUTATION_AREAS = {
  /** The canonical string and the form of what signs. */
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
  /** How large an order becomes: sizes, caps, the grid of lots. */
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
  /** When an account ends by its losses. */
  drawdown: {
    mutate: ["packages/core/src/rules/*.ts", NO_TESTS],
    tests: CORE_TESTS,
    floorPct: FLOOR_PCT,
  },
  /** What a week pays. */
  payouts: {
    mutate: ["packages/core/src/payouts/*.ts", NO_TESTS],
    tests: CORE_TESTS,
    floorPct: FLOOR_PCT,
  },
} as const satisfies Readonly<Record<string, MutationArea>>;

export type MutationAreaName = keyof typeof MUTATION_AREAS;

export const MUTATION_AREA_NAMES = ["signer", "gates", "sizing", "drawdown", "payouts"] as const;
