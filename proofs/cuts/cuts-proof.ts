import { type Proof, textOption, wholeNumberOption } from "../proof.ts";
import { areAllZero, resultListLengths, resultNumber, resultPart } from "../result-parts.ts";

const CUTS_PER_REPORT = 100;

/** Places orders over connections that are cut, and compares the client's results with the journal. */
export const CUTS: Proof = {
  name: "cuts",
  sentence:
    "Cuts connections during orders and proves that the client finds the fate of each order.",
  options: {
    cuts: { value: "N", fallback: "60", meaning: "orders whose connection is cut" },
    seed: { value: "WORD", fallback: "1", meaning: "the same seed gives the same cuts" },
  },
  async run(given, report) {
    const { runCuts } = await import("./run-cuts.ts");
    const cuts = wholeNumberOption(given, "cuts");
    return runCuts({
      cuts,
      seed: textOption(given, "seed"),
      onCut: (cut) => {
        if (cut % CUTS_PER_REPORT === 0) report(`${cut} of ${cuts} cuts`);
      },
    });
  },
  read(result) {
    const wrong = resultListLengths(result, {
      "carried out twice": "doubled",
      "reported as accepted but not in the journal": "notAccepted",
      "reported as rejected but in the journal": "notRejected",
      "of unknown fate": "unknown",
      "positions that differ from the answers": "differentPositions",
      "broken chains": "brokenChains",
    });
    const fates = resultPart(result, "fates");
    return {
      passed: areAllZero(wrong),
      figures: {
        "orders cut": resultNumber(result, "cutOrders"),
        cuts: resultNumber(result, "cuts"),
        accepted: resultNumber(fates, "accepted"),
        rejected: resultNumber(fates, "rejected"),
        "withdrawn before arrival": resultNumber(result, "withdrawn"),
        ...wrong,
      },
    };
  },
  fullRuns: [
    {
      record: "cuts",
      title: "Orders over cut connections",
      promise:
        "The client places orders over connections that are cut at random bytes, in either direction. In half of the cuts the remaining bytes arrive late, and the client's later requests are cut too. No order is carried out twice, and the client's result for each order agrees with the journal.",
      size: { cuts: "1000", seed: "1" },
    },
  ],
};
