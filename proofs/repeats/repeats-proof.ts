import { type Proof, serverUrlOption, wholeNumberOption } from "../proof.ts";
import { areAllZero, resultListLengths, resultNumber, resultPart } from "../result-parts.ts";

const WRITES_PER_REPORT = 50;

/** Sends the same writes of the operator repeatedly to two nodes that are killed, and counts their effects. */
export const REPEATS: Proof = {
  name: "repeats",
  sentence: "Kills nodes while writes are repeated and proves that each has one effect.",
  options: {
    writes: { value: "N", fallback: "40", meaning: "writes, each with a key of its own" },
    kills: { value: "N", fallback: "2", meaning: "nodes killed meanwhile" },
    "database-url": { value: "URL", fallback: "", meaning: "a PostgreSQL server; needed" },
  },
  async run(given, report) {
    const serverUrl = serverUrlOption(given);
    const { runRepeats } = await import("./run-repeats.ts");
    const writes = wholeNumberOption(given, "writes");
    return runRepeats({
      serverUrl,
      writes,
      kills: wholeNumberOption(given, "kills"),
      onWrite: (count) => {
        if (count % WRITES_PER_REPORT === 0) report(`${count} of ${writes} writes`);
      },
    });
  },
  read(result) {
    const wrong = resultListLengths(result, {
      "writes without exactly one effect": "wrongEffects",
      "writes with different answers": "differentAnswers",
      "writes that were refused": "refused",
      "accounts whose chain or state is wrong": "wrongJournals",
    });
    const kinds = Object.entries(Object(resultPart(result, "writesOf"))).map(
      ([kind, count]): readonly [string, number] => [`writes: ${kind}`, Number(count)],
    );
    return {
      passed: areAllZero(wrong) && resultNumber(result, "replayed") > 0 && kinds.length > 0,
      figures: {
        ...Object.fromEntries(kinds),
        "nodes killed": resultNumber(result, "kills"),
        "requests sent": resultNumber(result, "sent"),
        "requests without an answer": resultNumber(result, "cut"),
        "answers 503": resultNumber(result, "unknown"),
        "answers while the write was under way": resultNumber(result, "underWay"),
        "answers that were kept ones": resultNumber(result, "replayed"),
        ...wrong,
      },
    };
  },
  fullRuns: [
    {
      record: "repeats",
      title: "Repeated writes over killed nodes",
      promise:
        "Clients send each write of the operator's interface with a key of its own to two nodes on one database, repeatedly and to both concurrently, while the nodes are killed with kill -9. Each write has exactly one effect, all its answers with success are the same, and no repetition is refused.",
      size: { writes: "1000", kills: "50" },
      isOnPostgres: true,
    },
  ],
};
