import { count, list, nullable, number, object, string, time, type Wire, word } from "../schema.ts";
import { AUDIT_HEAD } from "./audit.ts";

const JOB_HEALTH = object("One of the service's own jobs.", {
  name: string("Its name."),
  lastRunAtMs: nullable(time("Null before the first run.")),
  lastDurationMs: nullable(number("How long the last finished run took.")),
  failures: count("Failed runs since the last one that succeeded."),
  lastError: nullable(string("The error of the last run; null when it succeeded.")),
});
export type JobHealthView = Wire<typeof JOB_HEALTH>;

export const SERVICE_HEALTH = object("The state of the service, for monitoring.", {
  nowMs: time("The service's time."),
  storage: word(["pglite", "postgres"], "The kind of database."),
  storageFault: nullable(
    object("Why the database cannot be used; null: it works.", {
      sinceMs: time("Since when."),
      reason: string("The database's error."),
    }),
  ),
  prices: object("The price source.", {
    source: string("Its name."),
    pairs: count("Pairs that have a quote."),
    newestQuoteAtMs: nullable(time("Null: no quote yet.")),
    warnings: list(
      object("Input that could not be used.", {
        source: string("Where it came from."),
        reason: string("Why it could not be used."),
        count: count("How often."),
        first: nullable(string("The first case.")),
      }),
      "Problems with prices and market calendars.",
    ),
  }),
  clockWork: nullable(
    object("Work due by time, such as day ends and carry; null: the database does not answer.", {
      waiting: count("Accounts with due work that is not done."),
      oldestDueAtMs: nullable(time("When the oldest of it was due; null: none.")),
      newestLatenessMs: nullable(number("How late the newest run was; null before the first.")),
    }),
  ),
  jobs: list(JOB_HEALTH, "The service's jobs; empty in a sandbox."),
  audit: nullable(AUDIT_HEAD),
});
export type ServiceHealth = Wire<typeof SERVICE_HEALTH>;
