import { type Proof, textOption, wholeNumber } from "../proof.ts";
import { areAllZero, lengthsOf, numberOf, part } from "../result-parts.ts";

const ORDERS_PER_REPORT = 100;

/** Breaks the exchanges of orders with a validator, kills the service, and compares receipts with the validator. */
export const VALIDATOR: Proof = {
  name: "validator",
  sentence:
    "Breaks orders on their way to a validator and proves that each happens at most once, as its receipt says.",
  options: {
    orders: { value: "N", fallback: "100", meaning: "orders of linked accounts" },
    kills: { value: "K", fallback: "1", meaning: "kills of the service among them" },
    seed: {
      value: "WORD",
      fallback: "1",
      meaning: "the same seed draws the same orders and faults",
    },
  },
  async run(given, report) {
    const { runValidator } = await import("./run-validator.ts");
    const orders = wholeNumber(given, "orders");
    return runValidator({
      orders,
      kills: wholeNumber(given, "kills"),
      seed: textOption(given, "seed"),
      onOrder: (count) => {
        if (count % ORDERS_PER_REPORT === 0) report(`${count} of ${orders} orders`);
      },
    });
  },
  read(result) {
    const wrong = lengthsOf(result, {
      "carried out twice": "doubled",
      "sent to the validator twice": "sentTwice",
      "receipts that stayed pending": "undecided",
      "answers that their receipts contradict": "contradicted",
      "accepted, but unknown to the validator": "notAccepted",
      "rejected, but carried out by the validator": "notRejected",
      "accounts whose reads differ from the validator": "differentReads",
    });
    const fates = part(result, "fates");
    return {
      passed: areAllZero(wrong),
      figures: {
        orders: numberOf(result, "orders"),
        "kinds of faults": numberOf(result, "faultKinds"),
        faults: numberOf(result, "faults"),
        kills: numberOf(result, "kills"),
        "without an answer, or of unknown fate": numberOf(result, "unanswered"),
        "not sent to an unreachable gateway": numberOf(result, "notSent"),
        accepted: numberOf(fates, "accepted"),
        rejected: numberOf(fates, "rejected"),
        "never arrived": numberOf(fates, "unseen"),
        "seconds until the last fate was known": numberOf(result, "settledAfterSeconds"),
        ...wrong,
      },
    };
  },
  fullRuns: [
    {
      record: "validator",
      title: "Orders of linked accounts",
      promise:
        "Linked accounts place orders at a validator while each step of the exchange fails: before the connection, before and after the validator's work, with half a body, a 500 after acceptance, answers that are slow, garbage, compressed, endless, redirected or of another order, while the service is killed. No order is carried out twice, every receipt becomes final as the validator says, and the reads show the validator's positions and pending orders.",
      size: { orders: "1000", kills: "3", seed: "1" },
    },
  ],
};
