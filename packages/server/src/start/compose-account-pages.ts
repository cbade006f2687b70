/** Composes the calls of an account's pages; part of the composition root. */
import type { EvidenceKeys, KeyDesk } from "@propgate/access";
import type { Clock, Timer } from "@propgate/base";
import type { Instruments } from "@propgate/core";
import type { AccountStore, JournalDesk, Ledger } from "@propgate/ledger";
import type { CandleReader } from "@propgate/market";
import type { StreamSlots } from "@propgate/push";
import type { ExpensiveReads, PayoutCursorCodec } from "@propgate/wire";
import type { JournalOptions } from "../calls/pages/account/journal-calls.ts";
import { createLiveStreams, type LiveOptions } from "../calls/pages/account/live-streams.ts";
import type { OwnerWebhookOptions } from "../calls/pages/account/webhook-calls.ts";
import { accountRoutes } from "../calls/pages/account-routes.ts";
import type { PageRoute } from "../calls/pages/page-call.ts";
import type { ComposedNetworks } from "./networks/compose-networks.ts";

/** The dependencies that concern signed-in people. They are composed later than the others. */
export type SignedInOptions = Pick<LiveOptions, "sessions"> & Pick<JournalOptions, "audit">;

/** Makes the calls of an account's pages. */
export type AccountPages = (signedIn: SignedInOptions) => readonly PageRoute[];

export function composeAccountPages(
  options: ComposedNetworks &
    Pick<Ledger, "journalLines"> & {
      readonly clock: Clock;
      readonly timer: Timer;
      readonly accounts: AccountStore;
      readonly instruments: Instruments;
      readonly candles: CandleReader;
      readonly cursors: PayoutCursorCodec;
      readonly keys: KeyDesk;
      readonly slots: StreamSlots;
      readonly webhooksOf: OwnerWebhookOptions["webhooksOf"];
      readonly lists: OwnerWebhookOptions["lists"];
      readonly journal: JournalDesk;
      readonly evidence: EvidenceKeys;
      readonly expensiveReads: ExpensiveReads;
      readonly onFault: (cause: unknown) => void;
    },
): AccountPages {
  return (signedIn) =>
    accountRoutes({
      ...options,
      ...signedIn,
      newestLines: (account, page) => options.journalLines.newest(account, page),
      live: createLiveStreams({ ...options, ...signedIn }),
    });
}
