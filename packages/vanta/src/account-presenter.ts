import type { Clock } from "@propgate/base";
import type { Account, Linked } from "@propgate/contract";
import type { AccountStore } from "@propgate/ledger";
import type { LinkedRecords } from "./desk/linked-records.ts";
import type { PairBook } from "./desk/pair-book.ts";
import type { LinkedReading } from "./reading-desk.ts";
import { linkedAccountView } from "./views/account.ts";

/** Makes the account snapshot of a reading, with the parts that are stored or listed apart. */
export interface AccountPresenter {
  account(reading: LinkedReading): Promise<Account<Linked>>;
}

export function createAccountPresenter(options: {
  readonly records: LinkedRecords;
  readonly pairs: PairBook;
  readonly accounts: Pick<AccountStore, "countActive">;
  /** How many active accounts an owner may have. */
  readonly accountsPerOwnerMax: number;
  readonly clock: Clock;
}): AccountPresenter {
  const { records, pairs, accounts, accountsPerOwnerMax: max, clock } = options;
  return {
    async account({ account, readings, isStale }) {
      const [closedPositions, dailyReturns, listed, active] = await Promise.all([
        records.read(account, "closedPosition"),
        records.read(account, "dailyReturn"),
        pairs.read(),
        accounts.countActive(account.ownerId),
      ]);
      return linkedAccountView({
        accountId: account.accountId,
        readings,
        closedPositions,
        dailyReturns,
        pairs: listed,
        ownerAccounts: { active, max },
        generatedAtMs: clock.now(),
        stale: isStale,
      });
    },
  };
}
