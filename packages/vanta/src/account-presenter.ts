import type { Clock } from "@propgate/base";
import type { Account, Linked } from "@propgate/contract";
import type { OwnerLimits } from "@propgate/ledger";
import type { LinkedRecords } from "./desk/linked-records.ts";
import type { PairBook } from "./desk/pair-book.ts";
import type { LinkedReading } from "./reading-desk.ts";
import { linkedAccountView } from "./views/account.ts";

/**
 * Makes the account snapshot of a reading. Closed positions, daily returns, the list of pairs and the owner's limits
 * are read separately.
 */
export interface AccountPresenter {
  account(reading: LinkedReading): Promise<Account<Linked>>;
}

export function createAccountPresenter(options: {
  readonly records: LinkedRecords;
  readonly pairs: PairBook;
  readonly limits: Pick<OwnerLimits, "of">;
  readonly clock: Clock;
}): AccountPresenter {
  const { records, pairs, limits, clock } = options;
  return {
    async account({ account, readings, isStale }) {
      const [closedPositions, dailyReturns, listed, ownerAccounts] = await Promise.all([
        records.read(account, "closedPosition"),
        records.read(account, "dailyReturn"),
        pairs.read(),
        limits.of(account.ownerId, null),
      ]);
      return linkedAccountView({
        accountId: account.accountId,
        readings,
        closedPositions,
        dailyReturns,
        pairs: listed,
        ownerAccounts,
        generatedAtMs: clock.now(),
        stale: isStale,
      });
    },
  };
}
