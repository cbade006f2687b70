import {
  type FullRun,
  type OptionValues,
  optionalTextOption,
  type Proof,
  WrongOptionsError,
  wholeNumberOption,
} from "../proof.ts";
import { areAllZero, resultListLengths, resultNumber } from "../result-parts.ts";

const KILLS_PER_REPORT = 50;
const PROMISE =
  "The service is killed with kill -9 at random moments while clients trade, and during starts. Every answered order is in the journal under its own nonce, byte-identical replays are refused, no nonce is carried out twice, chains are intact, states equal their journals, and the receiver of webhooks has every event of each account and every alert of each owner in order.";
const FULL = { kills: "1000" };

/** Kills a real service under load and inspects its database. */
export const KILLS: Proof = {
  name: "kills",
  sentence: "Kills a service under load and proves that no answered order was lost.",
  options: {
    kills: { value: "N", fallback: "20", meaning: "kills under load" },
    "database-url": {
      value: "URL",
      fallback: "",
      meaning: "an empty PostgreSQL database; the embedded one without this option",
    },
    "database-urls": {
      value: "URLS",
      fallback: "",
      meaning: "several empty PostgreSQL databases, comma-separated, instead of one",
    },
  },
  async run(given, report) {
    const { runKills } = await import("./run-kills.ts");
    const kills = wholeNumberOption(given, "kills");
    return runKills({
      kills,
      databaseUrls: databaseUrls(given),
      onKill: (kill) => {
        if (kill % KILLS_PER_REPORT === 0) report(`${kill} of ${kills} kills`);
      },
    });
  },
  read(result) {
    const wrong = resultListLengths(result, {
      "answered orders lost": "lost",
      "nonces admitted twice": "admittedTwice",
      "orders carried out twice": "carriedOutTwice",
      "broken chains": "brokenChains",
      "states that differ from their journal": "differentStates",
      "accounts and owners whose deliveries are out of order or incomplete": "wrongDeliveries",
    });
    return {
      passed: areAllZero(wrong),
      figures: {
        "kills under load": resultNumber(result, "kills"),
        "killed starts": resultNumber(result, "killedStarts"),
        "answered orders": resultNumber(result, "answeredOrders"),
        "requests without an answer": resultNumber(result, "cut"),
        replays: resultNumber(result, "replays"),
        "deliveries of events": resultNumber(result, "deliveries"),
        "deliveries of alerts": resultNumber(result, "alerts"),
        "deliveries that repeat the last one": resultNumber(result, "repeatedDeliveries"),
        ...wrong,
      },
    };
  },
  fullRuns: [
    fullRun({ record: "kills-embedded", title: "Real kills, embedded database" }),
    fullRun({ record: "kills-postgres", title: "Real kills, PostgreSQL", isOnPostgres: true }),
  ],
};

function databaseUrls(given: OptionValues): readonly string[] {
  const one = optionalTextOption(given, "database-url");
  const several = optionalTextOption(given, "database-urls");
  if (one !== null && several !== null) {
    throw new WrongOptionsError(
      "--database-url and --database-urls are two ways to name the database",
    );
  }
  return several?.split(",") ?? (one === null ? [] : [one]);
}

function fullRun(of: Omit<FullRun, "promise" | "size">): FullRun {
  return { ...of, promise: PROMISE, size: FULL };
}
