import { type Proof, serverUrlOption, wholeNumberOption } from "../proof.ts";
import { areAllZero, resultListLengths, resultNumber, resultPart } from "../result-parts.ts";

const LOOKS_PER_REPORT = 15;

/**
 * Cuts the connections of event readers and kills the nodes, and compares the events of each reader with those of a
 * plain read.
 */
export const STREAMS: Proof = {
  name: "streams",
  sentence: "Cuts streams and polls of two killed nodes and proves that no event is lost or twice.",
  options: {
    cuts: { value: "N", fallback: "500", meaning: "connections that are cut, at least" },
    kills: { value: "N", fallback: "2", meaning: "nodes killed meanwhile" },
    "database-url": { value: "URL", fallback: "", meaning: "a PostgreSQL server; needed" },
  },
  async run(given, report) {
    const serverUrl = serverUrlOption(given);
    const { runStreams } = await import("./run-streams.ts");
    const cuts = wholeNumberOption(given, "cuts");
    let looks = 0;
    return runStreams({
      serverUrl,
      cuts,
      kills: wholeNumberOption(given, "kills"),
      onCuts: (count) => {
        looks += 1;
        if (looks % LOOKS_PER_REPORT === 0) report(`${count} of ${cuts} cuts`);
      },
    });
  },
  read(result) {
    const wrong = resultListLengths(result, {
      "readers with other events than the reads": "different",
      "readers that ended with an error": "failed",
    });
    const kinds = Object.entries(Object(resultPart(result, "eventsOf"))).map(
      ([kind, count]): readonly [string, number] => [`events: ${kind}`, Number(count)],
    );
    return {
      passed: areAllZero(wrong) && kinds.length > 0 && kinds.every(([, count]) => count > 0),
      figures: {
        "connections cut": resultNumber(result, "cuts"),
        "nodes killed": resultNumber(result, "kills"),
        "effects that ended in the middle": resultNumber(result, "crashes"),
        ...Object.fromEntries(kinds),
        ...wrong,
      },
    };
  },
  fullRuns: [
    {
      record: "streams",
      title: "Streams over cut connections and killed nodes",
      promise:
        "Clients follow the events of accounts by stream, by stream with quotes, by stream of one type, by the consumer of the SDK and by long poll, over a proxy that spreads their connections over two nodes and cuts each after a random number of bytes, while the accounts trade and the nodes are killed with kill -9. Each client has exactly the events of GET events in their order, none twice and none missing.",
      size: { cuts: "10000", kills: "20" },
      isOnPostgres: true,
    },
  ],
};
