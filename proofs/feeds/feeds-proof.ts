import { type Proof, textOption, wholeNumberOption } from "../proof.ts";
import { areAllZero, resultListLengths, resultNumber } from "../result-parts.ts";

const CUTS_PER_REPORT = 1_000;
/** More growth than this is a leak: the garbage collector does not explain it. */
const GROWN_MB_MAX = 32;
const MS_PER_SECOND = 1_000;

/** Cuts and disturbs several venues of prices, and compares what the feed accepts with a model of its promises. */
export const FEEDS: Proof = {
  name: "feeds",
  sentence: "Cuts and disturbs price venues and proves that no wrong quote is accepted.",
  options: {
    cuts: { value: "N", fallback: "1000", meaning: "cuts and other faults of venues" },
    seed: { value: "WORD", fallback: "1", meaning: "the same seed gives the same faults" },
  },
  async run(given, report) {
    const { runFeeds } = await import("./run-feeds.ts");
    const cuts = wholeNumberOption(given, "cuts");
    return runFeeds({
      cuts,
      seed: textOption(given, "seed"),
      onCut: (cut) => {
        if (cut % CUTS_PER_REPORT === 0) report(`${cut} of ${cuts} cuts`);
      },
    });
  },
  read(result) {
    const wrong = resultListLengths(result, {
      "broken promises about quotes": "broken",
      "orders missed or filled without a quote": "ordersBroken",
    });
    const grownMb = resultNumber(result, "grownMb");
    return {
      passed: areAllZero(wrong) && grownMb <= GROWN_MB_MAX,
      figures: {
        "cuts and faults": resultNumber(result, "cuts"),
        "hours of virtual time": Math.round(resultNumber(result, "hours")),
        "quotes offered": resultNumber(result, "offered"),
        "quotes accepted": resultNumber(result, "accepted"),
        "changes to a lower source": resultNumber(result, "failovers"),
        "returns to a preferred source": resultNumber(result, "returns"),
        "orders filled": resultNumber(result, "filledOrders"),
        "choices of a source compared": resultNumber(result, "comparedSources"),
        "failovers watched, ticks": resultNumber(result, "comparedTicks"),
        "latest failover, seconds after the limit":
          resultNumber(result, "latestFailoverMs") / MS_PER_SECOND,
        "memory grown, MB": grownMb,
        ...wrong,
      },
    };
  },
  fullRuns: [
    {
      record: "feeds",
      title: "Price venues that fail",
      promise:
        "Three venues of prices fail at random: cut connections, silence, crossed, invalid, late, future and reordered quotes, single wrong prints, shifted and frozen prices, while an operator chooses and halts. No accepted quote is stale, crossed, from the future or mixed from two messages. A failed source is replaced within the pair's staleness limit and a second, and returns only after ten seconds of health. Every limit order that an accepted quote reaches is filled, and no other.",
      size: { cuts: "10000", seed: "1" },
    },
  ],
};
