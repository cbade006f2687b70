import {
  optionalTextOption,
  type Proof,
  textOption,
  WrongOptionsError,
  wholeNumberOption,
} from "../proof.ts";
import { areAllZero, resultListLengths, resultNumber, resultPart } from "../result-parts.ts";

const ORDERS_PER_REPORT = 100;

/**
 * Breaks the exchanges of orders with a validator, kills the service, and compares receipts and reads with the
 * validator.
 */
export const VALIDATOR: Proof = {
  name: "validator",
  sentence:
    "Breaks orders on their way to a validator and proves that each happens at most once, as its receipt says.",
  options: {
    orders: { value: "N", fallback: "100", meaning: "orders of linked accounts" },
    kills: { value: "K", fallback: "1", meaning: "kills of the service among them" },
    nodes: {
      value: "M",
      fallback: "1",
      meaning: "nodes on one PostgreSQL database, killed in turn",
    },
    "database-url": {
      value: "URL",
      fallback: "",
      meaning: "a PostgreSQL server; the embedded database without this option",
    },
    seed: {
      value: "WORD",
      fallback: "1",
      meaning: "the same seed draws the same orders and faults",
    },
  },
  async run(given, report) {
    const { runValidator } = await import("./run-validator.ts");
    const orders = wholeNumberOption(given, "orders");
    const nodes = wholeNumberOption(given, "nodes");
    const databaseUrl = optionalTextOption(given, "database-url");
    if (nodes < 1) throw new WrongOptionsError("--nodes must be at least 1");
    if (nodes > 1 && databaseUrl === null) {
      throw new WrongOptionsError("--nodes above 1 needs --database-url");
    }
    return runValidator({
      orders,
      kills: wholeNumberOption(given, "kills"),
      seed: textOption(given, "seed"),
      nodes,
      databaseUrl,
      onOrder: (count) => {
        if (count % ORDERS_PER_REPORT === 0) report(`${count} of ${orders} orders`);
      },
    });
  },
  read(result) {
    const wrong = resultListLengths(result, {
      "carried out twice": "doubled",
      "sent to the validator twice": "sentTwice",
      "receipts that stayed pending although the validator has the order": "undecided",
      "answers that their receipts contradict": "contradicted",
      "accepted, but unknown to the validator": "notAccepted",
      "rejected, but carried out by the validator": "notRejected",
      "cancels and flattens whose receipts name something else than what happened": "wrongClaims",
      "accepted orders whose records are not the validator's": "wrongRecords",
      "cancels of filled entries that cancelled their legs": "cancelledLegs",
      "legs that no client sent": "addedLegs",
      "accounts whose reads differ from the validator": "differentReads",
      "accounts whose events lack or repeat a fill": "wrongEvents",
    });
    const fates = resultPart(result, "fates");
    return {
      passed: areAllZero(wrong),
      figures: {
        orders: resultNumber(result, "orders"),
        "kinds of faults": resultNumber(result, "faultKinds"),
        faults: resultNumber(result, "faults"),
        kills: resultNumber(result, "kills"),
        nodes: resultNumber(result, "nodes"),
        "left by a killed node and finished by another": resultNumber(result, "finishedByOthers"),
        "accepted with nothing to do, arrived or not": resultNumber(result, "nothingToDo"),
        "without an answer, or of unknown fate": resultNumber(result, "unanswered"),
        "not sent to an unreachable gateway": resultNumber(result, "notSent"),
        accepted: resultNumber(fates, "accepted"),
        rejected: resultNumber(fates, "rejected"),
        "never arrived": resultNumber(fates, "unseen"),
        "pending, because the validator never had them": resultNumber(fates, "pending"),
        "seconds until the last fate was known": resultNumber(result, "settledAfterSeconds"),
        ...wrong,
      },
    };
  },
  fullRuns: [
    {
      record: "validator",
      title: "Orders of linked accounts",
      promise:
        "Linked accounts place orders at a validator while each step of the exchange fails: before the connection, before and after the validator's work, with half a body, a 500 after acceptance, work that is later than the service's deadline, answers that are slow, garbage, compressed, endless, redirected or of another order, while the service is killed. The validator also fills entries by itself just before an act is sent or arrives, refuses legs, answers success with nothing done, and shows another quantity or direction than it filled: receipts name exactly what was cancelled or closed, records are the validator's fills with the legs that came, no cancel of a filled entry takes its legs, and no entry gets a leg that no client sent. Orders with an id of their own (MARKET, FLAT, LIMIT, STOP_LIMIT, BRACKET) and acts without one (LIMIT_CANCEL, LIMIT_EDIT, FLAT_ALL) take part; a client that sends an act waits until its earlier fates are final. A cancel or a flatten whose ids are gone may end as refused although it never arrived, because the account is the same either way; and one that never arrived may end by the same effect of a later one. An answer to FLAT_ALL of everything names no order, so only orders with an id meet answers about another order. No order is carried out twice, every order that the validator has gets the receipt that the validator says, however late, no receipt of another order ends by a clock, and the reads show the validator's positions and pending orders.",
      size: { orders: "1000", kills: "3", seed: "1" },
    },
    {
      record: "validator-nodes",
      title: "Orders of linked accounts on two nodes",
      promise:
        "Two nodes share a PostgreSQL database and send orders to a validator while the exchanges fail as above. One node after the other is killed while orders are on their way, and it stays dead until the other has found the end of every order that it left. No order is carried out or sent twice.",
      size: { orders: "200", kills: "5", nodes: "2", seed: "1" },
      isOnPostgres: true,
    },
  ],
};
