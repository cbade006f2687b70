import type { Stopwatch } from "@propgate/base";
import type { ServiceObservers } from "../service.ts";
import { type BatchTally, createBatchTally } from "./batch-tally.ts";
import { createRequestTally, type RequestTally } from "./request-tally.ts";

/** The counts of a running service, which a scrape reads. */
export interface ServiceTallies {
  readonly observers: ServiceObservers;
  readonly requests: RequestTally;
  readonly admissions: BatchTally;
  readonly commits: BatchTally;
  journalLines(): number;
  faults(): number;
}

export function createServiceTallies(stopwatch: Stopwatch): ServiceTallies {
  const admissions = createBatchTally(stopwatch);
  const commits = createBatchTally(stopwatch);
  const requests = createRequestTally({ stopwatch, admissions: admissions.observer });
  let journalLines = 0;
  let faults = 0;
  return {
    requests,
    admissions,
    commits,
    journalLines: () => journalLines,
    faults: () => faults,
    observers: {
      requests: requests.observer,
      commits: {
        ...commits.observer,
        wrote(lines) {
          journalLines += lines;
        },
      },
      fault() {
        faults += 1;
      },
    },
  };
}
