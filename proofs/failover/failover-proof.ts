import { ERRORS } from "@propgate/contract";
import { optionalTextOption, type Proof, textOption, wholeNumberOption } from "../proof.ts";
import {
  areAllZero,
  resultList,
  resultListLengths,
  resultNumber,
  resultPart,
} from "../result-parts.ts";
import { keepsPromise, type Outage, outageRows } from "./outages.ts";

const MS_PER_SECOND = 1_000;
const RECOVER_MAX_MS = 60_000;
const PROMISE =
  "Three nodes, a PostgreSQL primary with a synchronous standby, and three NATS servers serve clients that trade and read without a pause, while everything fails in turn. Commits wait until both databases have them on disk (`synchronous_commit=on`; nothing reads the standby, so `remote_apply` would add nothing). The NATS servers store nothing, so a full disk meets only their logs. Every answered order is in the journal once, with the figures of the answer, and every order without an answer has a receipt that tells its fate. Clients move to the next node after a failure and find out the fates with the SDK. The seconds are those without a success at the unluckiest client. With orders they contain the search for the fate of an order that was under way: its receipt may say pending for 15 seconds, the timeout of a call, when the node that admitted it was lost. The promotion contains up to three seconds until the loss is noticed.";

/** Makes databases, nodes, NATS and connections fail under load, and compares all answers with the journal. */
export const FAILOVER: Proof = {
  name: "failover",
  sentence:
    "Lets databases, nodes, NATS and connections fail and proves that every answer stays true.",
  options: {
    times: { value: "N", fallback: "1", meaning: "times that each kind of failure happens" },
    only: { value: "TEXT", fallback: "", meaning: "only failures whose name contains the text" },
    traders: { value: "N", fallback: "4", meaning: "clients that place orders" },
    "stop-seconds": { value: "S", fallback: "10", meaning: "how long a node is stopped" },
    "hold-seconds": { value: "S", fallback: "3", meaning: "least time of the other failures" },
    seed: { value: "WORD", fallback: "1", meaning: "the same seed draws the same failures" },
  },
  async run(given, report) {
    const { findNeededPrograms } = await import("./needed-programs.ts");
    const { runFailover } = await import("./run-failover.ts");
    const programs = findNeededPrograms();
    if ("missing" in programs) throw new Error(programs.missing);
    const only = optionalTextOption(given, "only") ?? "";
    return runFailover({
      programs,
      times: wholeNumberOption(given, "times"),
      includes: (name) => name.includes(only),
      traders: wholeNumberOption(given, "traders"),
      stopMs: wholeNumberOption(given, "stop-seconds") * MS_PER_SECOND,
      holdMs: wholeNumberOption(given, "hold-seconds") * MS_PER_SECOND,
      settleMs: null,
      recoverMaxMs: RECOVER_MAX_MS,
      seed: textOption(given, "seed"),
      report,
    });
  },
  read(result) {
    const wrong = resultListLengths(result, {
      "answered orders lost": "lost",
      "answered orders with other figures": "differentFigures",
      "carried out twice": "doubled",
      "rejected, but carried out": "notRejected",
      "receipts that do not tell the truth": "wrongReceipts",
      "results of the client that are wrong": "wrongFates",
      "answers that no failure excuses": "wrongStatuses",
      "broken chains": "brokenChains",
      "states that differ from their journal": "differentStates",
      "accounts that were rejudged differently": "rejudgedDifferently",
      "partitions without an owner": "unownedPartitions",
      "decisions at an older quote": "olderQuotes",
      "failures that did not end for a client": "notRecovered",
    });
    const outages = resultList(result, "outages") as readonly Outage[];
    const promotions = outages.map(keepsPromise).filter((kept) => kept !== null);
    return {
      passed: areAllZero(wrong),
      figures: {
        failures: resultNumber(result, "failures"),
        "kinds of failures": resultNumber(result, "kinds"),
        nodes: resultNumber(result, "nodes"),
        clients: resultNumber(result, "clients"),
        "orders sent": resultNumber(result, "sent"),
        "orders answered with success": resultNumber(result, "answered"),
        "orders without an answer, or with a 5xx": resultNumber(result, "unanswered"),
        "fates found only after the load": resultNumber(result, "settledLater"),
        ...statusesOf(result),
        "promotions after which clients waited at most 3 s more": `${promotions.filter(Boolean).length} of ${promotions.length}`,
        ...wrong,
      },
      rows: outageRows(outages),
    };
  },
  fullRuns: [
    {
      record: "failover",
      title: "Failover of databases, nodes and NATS",
      promise: PROMISE,
      size: { times: "3" },
    },
  ],
};

/** The number of answers by status. Answers of 500 to orders are counted by their meaning. */
function statusesOf(result: unknown): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, count] of Object.entries(resultPart(result, "answers") ?? {})) {
    const label = labelOf(name);
    counts[label] = (counts[label] ?? 0) + Number(count);
  }
  return Object.fromEntries(
    Object.entries(counts).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function labelOf(answer: string): string {
  if (answer.includes(ERRORS.unknownFate.text)) return "answers 500, fate unknown";
  if (answer.includes(ERRORS.networkDown.text)) return "answers 500, order not accepted";
  if (answer.includes(ERRORS.notCarriedOut.text)) return "answers 500, order never carried out";
  const status = /^\w+ (\d{3})\b/.exec(answer)?.[1];
  return status === undefined ? "requests without an answer" : `answers ${status}`;
}
