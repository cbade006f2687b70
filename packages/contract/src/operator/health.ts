import {
  boolean,
  count,
  list,
  nullable,
  number,
  object,
  type Schema,
  string,
  time,
  type Wire,
  word,
} from "../schema.ts";
import { AUDIT_HEAD } from "./audit.ts";
import { PRICE_STATES } from "./prices.ts";
import { WAITING_RESTORE } from "./restore.ts";

/** Why a price judges no account. See "judge" in the glossary. @rule D13.judges */
const AWAITED_REASONS = ["missing", "halted", "beforeStart", "adjusted", "stale"] as const;

const JOB_HEALTH = object("One of the service's own jobs.", {
  name: string("Its name."),
  lastRunAtMs: nullable(time("Start of its last run; null before the first.")),
  lastDurationMs: nullable(number("Duration of the last finished run, milliseconds.")),
  failures: count("Failed runs since the last one that succeeded."),
  lastError: nullable(string("The error of the last run; null when it succeeded.")),
});
export type JobHealthView = Wire<typeof JOB_HEALTH>;

const upstreamHealth = (description: string): Schema<UpstreamHealthView> =>
  object(description, {
    reachable: boolean("Whether the last call succeeded."),
    unreachableSinceMs: nullable(time("Since when no call has succeeded; null while reachable.")),
    callsInFlight: count("Calls that wait for an answer."),
    isPaused: boolean("True while calls are not sent, so that the host can recover."),
  });

export interface UpstreamHealthView {
  readonly reachable: boolean;
  readonly unreachableSinceMs: number | null;
  readonly callsInFlight: number;
  readonly isPaused: boolean;
}

const NETWORK_HEALTH = object("The validator behind linked accounts; null without one.", {
  validator: upstreamHealth("The host that readings come from."),
  gateway: upstreamHealth("The host that takes orders."),
  keyRefusedSinceMs: nullable(
    time("Since when the gateway refuses the service's key; null while it accepts it."),
  ),
  linkedAccounts: count("Linked accounts that are not closed."),
  failingAccounts: count("Linked accounts whose readings fail."),
  oldestReadingAgeMs: nullable(
    number("Age of the oldest reading, milliseconds; null without readings."),
  ),
  ordersSending: count("Orders whose outcome is not known."),
  oldestSendingSinceMs: nullable(time("Since when the oldest of them is sent; null without one.")),
});
export type NetworkHealth = Wire<typeof NETWORK_HEALTH>;

export const SERVICE_HEALTH = object("The state of the service, for monitoring.", {
  nowMs: time("The service's time."),
  storage: word(["pglite", "postgres"], "The kind of database."),
  storageFault: nullable(
    object("Why the database cannot be used; null while it works.", {
      sinceMs: time("Since when it fails."),
      reason: string("The database's error."),
    }),
  ),
  restored: nullable(WAITING_RESTORE),
  historiesChanged: count(
    "Accounts whose journal was not the one in this process's memory, since its start: a restore or a failover has lost lines.",
  ),
  linesOfFuture: nullable(
    object(
      "Accounts whose newest journal line is more than two seconds ahead of the clock, because a clock was wrong: nothing of them is carried out until then. Null without one.",
      {
        accounts: count("Accounts of all nodes that were to be decided since."),
        untilMs: time("Time of the newest of these lines: then all of them work again."),
      },
    ),
  ),
  prices: object("The price source.", {
    source: string("Its name."),
    pairs: count("Pairs that have a quote."),
    newestQuoteAtMs: nullable(time("Time of the newest quote; null before the first.")),
    waitingQuotes: count("Quotes that wait until accounts have settled at earlier ones."),
    boardLagMs: number("Age of the oldest waiting quote, milliseconds; 0 when none waits."),
    blocked: list(
      object("A blocked or retired pair that accounts hold.", {
        pair: string("The pair."),
        isRetired: boolean("Whether its last price fills exits once no source has another."),
        state: word(PRICE_STATES, "The state of its prices, as in the list of prices."),
        holders: count("Accounts that hold a position in it, of all nodes."),
      }),
      "Pairs in which positions can only be reduced, and are held.",
    ),
    unjudged: list(
      object("A price without which these accounts are not judged, whether or not work is due.", {
        pair: string("The pair."),
        reason: word(AWAITED_REASONS, "Why its present price judges no account, as below."),
        accounts: count("Accounts of all nodes that no limit can end and that cannot pass."),
        sinceMs: nullable(
          time(
            "Time of the pair's last quote, the last that may have judged them; null without one.",
          ),
        ),
      }),
      "Accounts that wait for a price, with the most accounts first.",
    ),
    warnings: list(
      object("Input that could not be used.", {
        source: string("Its source."),
        reason: string("Why it could not be used."),
        count: count("The number of cases."),
        first: nullable(string("The first case.")),
      }),
      "Problems with prices, market calendars and the pairs of linked accounts.",
    ),
  }),
  clockWork: nullable(
    object(
      "Work due by time, such as day ends and carry; null while the database does not answer.",
      {
        waiting: count("Accounts of all nodes with due work that is not done."),
        oldestDueAtMs: nullable(time("When the oldest due work was due; null if none is overdue.")),
        newestLatenessMs: nullable(
          number("Delay of the newest run, milliseconds; null before the first."),
        ),
        awaited: list(
          object("A price without which these accounts are not judged.", {
            pair: string("The pair."),
            reason: word(
              AWAITED_REASONS,
              "Why its present price judges no account: it never had one, it is halted, its sources differ or the chosen one is silent, no quote has come since the start, it is adjusted for a corporate action, or it is too old.",
            ),
            accounts: count("Accounts whose due work waits for it."),
            oldestDueAtMs: time("When the oldest of that work was due."),
          }),
          "The prices that due work waits for, with the most accounts first.",
        ),
      },
    ),
  ),
  network: nullable(NETWORK_HEALTH),
  jobs: list(JOB_HEALTH, "The service's jobs; empty in a sandbox."),
  audit: nullable(AUDIT_HEAD),
});
export type ServiceHealth = Wire<typeof SERVICE_HEALTH>;
