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

const JOB_HEALTH = object("A background job of the service.", {
  name: string("The name of the job."),
  lastRunAtMs: nullable(time("Start of the last run; null before the first.")),
  lastDurationMs: nullable(
    number("Duration of the last finished run, in milliseconds; null before the first."),
  ),
  failures: count("Number of failed runs since the last successful one."),
  lastError: nullable(string("The error of the last run; null when it succeeded.")),
});
export type JobHealthView = Wire<typeof JOB_HEALTH>;

const upstreamHealth = (description: string): Schema<UpstreamHealthView> =>
  object(description, {
    reachable: boolean("True if the last call succeeded."),
    unreachableSinceMs: nullable(
      time("Time since which no call has succeeded; null while the host is reachable."),
    ),
    callsInFlight: count("Number of calls that wait for an answer."),
    isPaused: boolean("True while the service sends no calls, so that the host can recover."),
  });

export interface UpstreamHealthView {
  readonly reachable: boolean;
  readonly unreachableSinceMs: number | null;
  readonly callsInFlight: number;
  readonly isPaused: boolean;
}

const NETWORK_HEALTH = object(
  "The validator of linked accounts; null when no validator is configured.",
  {
    validator: upstreamHealth("The host from which figures are read."),
    gateway: upstreamHealth("The host to which orders are sent."),
    keyRefusedSinceMs: nullable(
      time(
        "Time since which the gateway rejects the service's key; null while it accepts the key.",
      ),
    ),
    linkedAccounts: count("Number of linked accounts that are not closed."),
    failingAccounts: count("Number of linked accounts whose newest reading failed."),
    oldestReadingAgeMs: nullable(
      number(
        "Age of the oldest reading of a linked account, in milliseconds; null without readings.",
      ),
    ),
    ordersSending: count("Number of orders whose outcome is not known."),
    oldestSendingSinceMs: nullable(
      time("Time since which the oldest of these orders is being sent; null without one."),
    ),
  },
);
export type NetworkHealth = Wire<typeof NETWORK_HEALTH>;

export const SERVICE_HEALTH = object("The state of the service, for monitoring.", {
  nowMs: time("The service's current time."),
  storage: word(
    ["pglite", "postgres"],
    "The kind of database. `pglite` is embedded in the service.",
  ),
  storageFault: nullable(
    object("Why the database cannot be used; null while it works.", {
      sinceMs: time("Time since which the database fails."),
      reason: string("The error of the database."),
    }),
  ),
  restored: nullable(WAITING_RESTORE),
  historiesChanged: count(
    "Number of times since the start of this process that an account's journal in the database lacked lines that the process had in memory. The cause is a restore or a failover.",
  ),
  linesOfFuture: nullable(
    object(
      "Accounts whose newest journal line is more than two seconds ahead of the clock, because a clock was wrong. They carry out nothing until then. Null without such an account.",
      {
        accounts: count(
          "Number of such accounts, on all nodes, that had something to carry out since.",
        ),
        untilMs: time(
          "Time of the newest of these lines, after which all of these accounts work again.",
        ),
      },
    ),
  ),
  prices: object("The prices of the service.", {
    source: string("The name of the price source."),
    pairs: count("Number of pairs with a quote."),
    newestQuoteAtMs: nullable(time("Time of the newest quote; null before the first.")),
    waitingQuotes: count(
      "Number of quotes that wait until all accounts have been processed at earlier quotes.",
    ),
    boardLagMs: number("Age of the oldest waiting quote, in milliseconds; 0 when none waits."),
    blocked: list(
      object("A blocked or retired pair in which accounts hold positions.", {
        pair: string("The pair."),
        isRetired: boolean(
          "True if the pair is retired: its last price fills exits when no source has a newer one.",
        ),
        state: word(PRICE_STATES, "The state of the pair's prices, as in the list of prices."),
        holders: count("Number of accounts with a position in the pair, on all nodes."),
      }),
      "Pairs in which accounts hold positions that can only be reduced.",
    ),
    unjudged: list(
      object(
        "A missing price, without which the limits and targets of some accounts cannot be checked.",
        {
          pair: string("The pair."),
          reason: word(
            AWAITED_REASONS,
            "Why the pair has no usable price; the reasons are those of `clockWork.awaited`.",
          ),
          accounts: count(
            "Number of accounts, on all nodes, that can neither breach a limit nor pass until the price arrives.",
          ),
          sinceMs: nullable(
            time(
              "Time of the pair's last quote, the last one that can have been used for checks; null without one.",
            ),
          ),
        },
      ),
      "The missing prices for which accounts wait, with the most accounts first.",
    ),
    warnings: list(
      object("Input that could not be used.", {
        source: string("The source of the input."),
        reason: string("Why the input could not be used."),
        count: count("Number of cases."),
        first: nullable(string("The first case; null without details.")),
      }),
      "Problems with prices, market calendars and the pairs of linked accounts.",
    ),
  }),
  clockWork: nullable(
    object(
      "Scheduled work of accounts, such as day ends and holding costs; null while the database does not answer.",
      {
        waiting: count("Number of accounts, on all nodes, with due work that is not done."),
        oldestDueAtMs: nullable(time("When the oldest undone work was due; null without any.")),
        newestLatenessMs: nullable(
          number(
            "Delay with which the newest run of this process did its work, in milliseconds; null before the first run.",
          ),
        ),
        awaited: list(
          object("A missing price for which due work waits.", {
            pair: string("The pair."),
            reason: word(
              AWAITED_REASONS,
              "Why the pair has no usable price: it never had one, an operator halted it, its sources differ, or the chosen source sends none. Or no quote has come since the start, its quote is adjusted for a corporate action, or its quote is too old.",
            ),
            accounts: count("Number of accounts whose due work waits for this price."),
            oldestDueAtMs: time("When the oldest of that work was due."),
          }),
          "The missing prices for which due work waits, with the most accounts first.",
        ),
      },
    ),
  ),
  network: nullable(NETWORK_HEALTH),
  jobs: list(JOB_HEALTH, "The background jobs of the service; empty in a sandbox."),
  audit: nullable(AUDIT_HEAD),
});
export type ServiceHealth = Wire<typeof SERVICE_HEALTH>;
