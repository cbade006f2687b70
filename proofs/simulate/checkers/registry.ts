import type { Checker } from "../history.ts";
import { Acknowledged } from "./acknowledged.ts";
import { ActionsOnce } from "./actions-once.ts";
import { BlockedPairs } from "./blocked-pairs.ts";
import { Bounds } from "./bounds.ts";
import { ChosenSources } from "./chosen-sources.ts";
import { Earnings } from "./earnings.ts";
import { ForgedPrices } from "./forged-prices.ts";
import { FundingCharges } from "./funding-charges.ts";
import { InTime } from "./in-time.ts";
import { JournalFeed } from "./journal-feed.ts";
import { Ledger } from "./ledger.ts";
import { LineTimes } from "./line-times.ts";
import { OldEpochs } from "./old-epochs.ts";
import { OlderPrices } from "./older-prices.ts";
import { Once } from "./once.ts";
import { PausedKeys } from "./paused-keys.ts";
import { PricesGoOn } from "./prices-go-on.ts";
import { PublishedQuotes } from "./published-quotes.ts";
import { PublishedTriggers } from "./published-triggers.ts";
import { Rebuilt } from "./rebuilt.ts";
import { Revoked } from "./revoked.ts";
import { Serial } from "./serial.ts";
import { StaleRates } from "./stale-rates.ts";
import { WaitingAccounts } from "./waiting-accounts.ts";

/** Creates the checkers of one run, one for each promise. They share one reader of the journal. */
export function createCheckers(): readonly Checker[] {
  const feed = new JournalFeed();
  const published = new PublishedQuotes();
  const waiting = new WaitingAccounts(published);
  return [
    new ForgedPrices(),
    new Acknowledged(feed),
    new Once(feed),
    new Ledger(feed),
    new Earnings(feed),
    new ActionsOnce(feed, waiting),
    new FundingCharges(feed),
    new BlockedPairs(feed),
    new InTime(feed, waiting),
    new PublishedTriggers(feed, published),
    new OlderPrices(feed, published),
    new ChosenSources(feed, published),
    new Rebuilt(feed),
    new Serial(feed),
    new StaleRates(feed),
    new Revoked(),
    new PausedKeys(),
    new OldEpochs(),
    new Bounds(),
    new LineTimes(() => feed),
    new PricesGoOn(),
  ];
}
