import { type Proof, textOption, wholeNumber } from "../proof.ts";
import { areAllZero, lengthsOf, numberOf, part } from "../result-parts.ts";

const CUTS_A_LINE = 100;

/** Places orders over connections that are cut, and compares the client's answers with the journal. */
export const CUTS: Proof = {
  name: "cuts",
  sentence:
    "Cuts connections in the middle of orders and proves that the client knows the fate of each.",
  options: {
    cuts: { value: "N", fallback: "60", meaning: "orders whose connection is cut" },
    seed: { value: "WORD", fallback: "1", meaning: "the same word gives the same cuts" },
  },
  async run(given, report) {
    const { runCuts } = await import("./run-cuts.ts");
    const cuts = wholeNumber(given, "cuts");
    return runCuts({
      cuts,
      seed: textOption(given, "seed"),
      onCut: (cut) => {
        if (cut % CUTS_A_LINE === 0) report(`${cut} of ${cuts} cuts`);
      },
    });
  },
  read(result) {
    const wrong = lengthsOf(result, {
      "carried out twice": "doubled",
      "said to be accepted, and were not": "notAccepted",
      "said to be rejected, and were not": "notRejected",
      "of unknown fate": "unknown",
      "positions unlike what was said": "differentPositions",
      "broken chains": "brokenChains",
    });
    const fates = part(result, "fates");
    return {
      passed: areAllZero(wrong),
      figures: {
        "orders cut": numberOf(result, "cutOrders"),
        cuts: numberOf(result, "cuts"),
        accepted: numberOf(fates, "accepted"),
        rejected: numberOf(fates, "rejected"),
        "withdrawn before they arrived": numberOf(result, "withdrawn"),
        ...wrong,
      },
    };
  },
  fullRuns: [
    {
      record: "cuts",
      title: "Orders over a line that is cut",
      promise:
        "The client places orders over connections that are cut at random bytes, in either direction. Half of the time the bytes that were cut off arrive late, and the questions that follow are cut as well. No order is carried out twice, and the client's answer about each order agrees with the journal.",
      size: { cuts: "1000", seed: "1" },
    },
  ],
};
