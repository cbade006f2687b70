import { optionalTextOption, type Proof, wholeNumberOption } from "../proof.ts";
import {
  areAllZero,
  resultList,
  resultListLengths,
  resultNumber,
  resultPart,
} from "../result-parts.ts";

const LOSSES_PER_REPORT = 10;
const PROMISE =
  "Prices walk at random while trailing stops by percent and by value, LONG and SHORT, are read in GET positions, GET orders, orders/{id}, order-history, the pages and their stream. The process is lost at random moments, two of three times with kill -9, else with SIGTERM, and starts again. No level that an answer has shown falls for a LONG or rises for a SHORT, no level is beyond what the quotes allow, every quote at a shown level closes the position, and none closes before its level.";

/**
 * Ends processes of the service while trailing stops are read, and compares each shown level of a stop with the levels
 * that were shown before.
 */
export const STOPS: Proof = {
  name: "stops",
  sentence: "Loses processes while prices move and proves that no shown stop level falls.",
  options: {
    losses: { value: "N", fallback: "30", meaning: "processes that are killed or stopped" },
    "database-url": {
      value: "URL",
      fallback: "",
      meaning: "a PostgreSQL server, for two nodes; the service and the sandbox without it",
    },
  },
  async run(given, report) {
    const { runStops } = await import("./run-stops.ts");
    const losses = wholeNumberOption(given, "losses");
    return runStops({
      losses,
      serverUrl: optionalTextOption(given, "database-url"),
      onLoss: (count) => {
        if (count % LOSSES_PER_REPORT === 0) report(`${count} of ${losses} losses`);
      },
    });
  },
  read(result) {
    const wrong = resultListLengths(result, {
      "levels that fell, or that no quote explains": "wrongLevels",
      "fills that the shown level does not explain": "wrongFills",
    });
    const readings = Object.entries(Object(resultPart(result, "readings"))).map(
      ([name, count]): readonly [string, number] => [`levels shown: ${name}`, Number(count)],
    );
    return {
      passed: areAllZero(wrong) && resultNumber(result, "moves") > 0 && readings.length > 0,
      figures: {
        kills: resultNumber(result, "kills"),
        "orderly stops": resultNumber(result, "orderlyStops"),
        installations: resultList(result, "installations").join(", "),
        quotes: resultNumber(result, "quotes"),
        ...Object.fromEntries(readings),
        "shown levels that moved": resultNumber(result, "moves"),
        "positions closed by their stops": resultNumber(result, "fills"),
        ...wrong,
      },
    };
  },
  fullRuns: [
    {
      record: "stops",
      title: "Stop levels after lost processes",
      promise: PROMISE,
      size: { losses: "210" },
    },
    {
      record: "stops-nodes",
      title: "Stop levels after lost nodes",
      promise: PROMISE,
      size: { losses: "90" },
      isOnPostgres: true,
    },
  ],
};
