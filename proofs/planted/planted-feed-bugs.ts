import type { PlantedBug } from "./planted-bugs.ts";

const COMPOSITION = "packages/market/src/prices/composition";
const TESTS = [COMPOSITION, "proofs/feeds"];

/** Mistakes in the choice of the source from which a pair has its prices. */
export const PLANTED_FEED_BUGS: readonly PlantedBug[] = [
  {
    name: "a bid of one venue with the ask of another",
    harm: "orders fill at a price that no venue ever quoted",
    edits: [
      {
        file: `${COMPOSITION}/pair-feed.ts`,
        from: "    const verdict = options.accept(source.quote.offered);",
        to: `    const { offered } = sources.find((one) => one.quote !== null)?.quote ?? source.quote;
    const verdict = options.accept({ ...source.quote.offered, bid: offered.bid });`,
      },
    ],
    tests: TESTS,
  },
  {
    name: "a return without ten seconds of health",
    harm: "a venue that comes and goes changes the price with every message",
    edits: [
      {
        file: `${COMPOSITION}/choose-speaker.ts`,
        from: "nowMs - healthySinceMs >= HEALTHY_AFTER_MS",
        to: "nowMs - healthySinceMs >= 0",
      },
    ],
    tests: TESTS,
  },
  {
    name: "a silent venue that keeps its pair",
    harm: "orders are rejected although another venue has fresh prices",
    edits: [
      {
        file: `${COMPOSITION}/pair-source.ts`,
        from: "nowMs - quote.atMs > staleAfterMs",
        to: "nowMs - quote.atMs > 3 * staleAfterMs",
      },
    ],
    tests: TESTS,
  },
  {
    name: "a halted pair that takes quotes",
    harm: "orders fill at prices that the operator has stopped",
    edits: [
      {
        file: `${COMPOSITION}/pair-feed.ts`,
        from: '  if (chosen.kind === "halt") return [];\n',
        to: "",
      },
    ],
    tests: TESTS,
  },
];
