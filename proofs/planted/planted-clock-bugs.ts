import type { PlantedBug } from "./planted-bugs.ts";

const NODES = "packages/server/src/start/nodes";

/** Mistakes of a node whose wall clock is wrong. */
export const PLANTED_CLOCK_BUGS: readonly PlantedBug[] = [
  {
    name: "a node that trusts its own clock",
    harm: "a clock 61 days ahead ends the days of its accounts, and eliminates them for inactivity",
    edits: [
      {
        file: `${NODES}/node-clock.ts`,
        from: "    if (Math.abs(ahead) <= CLOCK_SKEW_MAX_MS) return null;\n",
        to: "    if (Number.isFinite(ahead)) return null;\n",
      },
    ],
    simulation: { faults: "clock", steps: 800, checker: "the run itself" },
    tests: [`${NODES}/node-clock.test.ts`],
  },
  {
    name: "a clock that is compared only at the start",
    harm: "a clock that is set wrong while its node works ends days early",
    edits: [
      {
        file: `${NODES}/node-clock.ts`,
        from: "    return last.aheadMs + (wallMs - last.at.wallMs) - (steadyMs - last.at.steadyMs);\n",
        to: "    return wallMs < steadyMs ? null : last.aheadMs;\n",
      },
      {
        file: `${NODES}/node-clock.ts`,
        from: "    if (last === null || waitedMs <= ANSWER_MAX_MS) {\n",
        to: "    if (last === null) {\n",
      },
    ],
    simulation: { faults: "clock", steps: 100, checker: "the run itself" },
    tests: [`${NODES}/node-clock.test.ts`],
  },
  {
    name: "leases that a wrong clock keeps",
    harm: "the accounts of a node whose clock is wrong stand still, although another node could decide them",
    edits: [
      {
        file: `${NODES}/share-duty.ts`,
        from: "      if (clockProblem() === null) {\n",
        to: '      if (clockProblem() !== "") {\n',
      },
      {
        file: `${NODES}/share-duty.ts`,
        from: "  const decides = (): boolean => clockProblem() === null && priceProblem() === null;\n",
        to: "  const decides = (): boolean => priceProblem() === null;\n",
      },
      {
        file: `${NODES}/feed-node.ts`,
        from: "!isStopped && isClockRight() ? [FEED_LEASE] : []",
        to: "!isStopped ? [FEED_LEASE] : []",
      },
    ],
    simulation: { faults: "clock", steps: 200, checker: "the run itself" },
    tests: [`${NODES}/node-partitions.test.ts`, `${NODES}/feed-node.test.ts`],
  },
  {
    name: "a share that is claimed without prices",
    harm: "the accounts of a node that does not reach NATS stand still, although another node could decide them",
    edits: [
      {
        file: `${NODES}/share-duty.ts`,
        from: "        follow(decides() || (owns && !doOthersDecide()));\n",
        to: "        follow(true);\n",
      },
    ],
    tests: [`${NODES}/share-duty.test.ts`, `${NODES}/node-partitions.test.ts`],
  },
  {
    name: "a quote of the future that keeps later ones out",
    harm: "after a clock was ahead for a moment, the prices of its pairs stand still until that time has come",
    edits: [
      {
        file: "packages/core/src/market/trading.ts",
        from: "staleAfterMs || isFromFuture(quote.atMs, now)) return false;\n",
        to: "staleAfterMs) return false;\n",
      },
      {
        file: "packages/market/src/prices/quotes/quote-intake.ts",
        from: "  return atMs < last.atMs && !isFutureTime(last.atMs, quote.receivedAtMs);\n",
        to: "  return atMs < last.atMs && quote !== last;\n",
      },
    ],
    simulation: { faults: "clock", steps: 1200, checker: "prices go on" },
    tests: [
      "packages/core/src/market/trading.test.ts",
      "packages/market/src/prices/quotes/quote-intake.test.ts",
    ],
  },
];
