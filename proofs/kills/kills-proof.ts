import { type FullRun, optionalText, type Proof, wholeNumber } from "../proof.ts";
import { areAllZero, lengthsOf, numberOf } from "../result-parts.ts";

const KILLS_A_LINE = 50;
const PROMISE =
  "kill -9 at random moments while clients trade, and during starts. Every answered order is in the journal under its own nonce, byte-identical replays are refused, no nonce is carried out twice, chains and states are whole.";
const FULL = { kills: "1000" };

/** Kills a real service under load, as often as asked, and reads what it left on disk. */
export const KILLS: Proof = {
  name: "kills",
  sentence: "Kills a service under load and proves that no answered order was lost.",
  options: {
    kills: { value: "N", fallback: "20", meaning: "kills under load" },
    "database-url": {
      value: "URL",
      fallback: "",
      meaning: "an empty PostgreSQL database; without it the embedded one",
    },
  },
  async run(given, report) {
    const { runKills } = await import("./run-kills.ts");
    const kills = wholeNumber(given, "kills");
    return runKills({
      kills,
      databaseUrl: optionalText(given, "database-url"),
      onKill: (kill) => {
        if (kill % KILLS_A_LINE === 0) report(`${kill} of ${kills} kills`);
      },
    });
  },
  read(result) {
    const wrong = lengthsOf(result, {
      "answered orders lost": "lost",
      "nonces admitted twice": "admittedTwice",
      "orders carried out twice": "carriedOutTwice",
      "broken chains": "brokenChains",
      "states unlike their journal": "differentStates",
    });
    return {
      passed: areAllZero(wrong),
      figures: {
        "kills under load": numberOf(result, "kills"),
        "killed starts": numberOf(result, "killedStarts"),
        "answered orders": numberOf(result, "answeredOrders"),
        "requests cut off": numberOf(result, "cut"),
        replays: numberOf(result, "replays"),
        ...wrong,
      },
    };
  },
  fullRuns: [
    fullRun({ record: "kills-embedded", title: "Real kills, embedded database" }),
    fullRun({ record: "kills-postgres", title: "Real kills, PostgreSQL", isOnPostgres: true }),
  ],
};

function fullRun(of: Omit<FullRun, "promise" | "size">): FullRun {
  return { ...of, promise: PROMISE, size: FULL };
}
