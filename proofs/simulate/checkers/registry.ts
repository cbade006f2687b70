import type { Checker } from "../checker.ts";
import { AcknowledgedOrders } from "./acknowledged-orders.ts";
import { ActionsOnce } from "./actions-once.ts";
import { BlockedPairs } from "./blocked-pairs.ts";
import { ChosenSources } from "./chosen-sources.ts";
import { DocumentedAnswers } from "./documented-answers.ts";
import { DueWorkInTime } from "./due-work-in-time.ts";
import { Earnings } from "./earnings.ts";
import { ForgedPrices } from "./forged-prices.ts";
import { FundingCharges } from "./funding-charges.ts";
import { JournalReader } from "./journal-reader.ts";
import { KeyCooldowns } from "./key-cooldowns.ts";
import { LedgerSums } from "./ledger-sums.ts";
import { LineTimes } from "./line-times.ts";
import { NoncesOnce } from "./nonces-once.ts";
import { OldEpochs } from "./old-epochs.ts";
import { OlderPrices } from "./older-prices.ts";
import { PricesGoOn } from "./prices-go-on.ts";
import { PublishedQuotes } from "./published-quotes.ts";
import { PublishedTriggers } from "./published-triggers.ts";
import { RebuiltStates } from "./rebuilt-states.ts";
import { RevokedKeys } from "./revoked-keys.ts";
import { SerialAccounts } from "./serial-accounts.ts";
import { StaleRates } from "./stale-rates.ts";
import { WaitingAccounts } from "./waiting-accounts.ts";

/** Creates the checkers of one run, one for each promise. They share one reader of the journal. */
export function createCheckers(): readonly Checker[] {
  const journal = new JournalReader();
  const published = new PublishedQuotes();
  const waiting = new WaitingAccounts(published);
  return [
    new ForgedPrices(),
    new AcknowledgedOrders(journal),
    new NoncesOnce(journal),
    new LedgerSums(journal),
    new Earnings(journal),
    new ActionsOnce(journal, waiting),
    new FundingCharges(journal),
    new BlockedPairs(journal),
    new DueWorkInTime(journal, waiting),
    new PublishedTriggers(journal, published),
    new OlderPrices(journal, published),
    new ChosenSources(journal, published),
    new RebuiltStates(journal),
    new SerialAccounts(journal),
    new StaleRates(journal),
    new RevokedKeys(),
    new KeyCooldowns(),
    new OldEpochs(),
    new DocumentedAnswers(),
    new LineTimes(() => journal),
    new PricesGoOn(),
  ];
}
