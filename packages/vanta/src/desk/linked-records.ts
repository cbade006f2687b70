import type { AccountId } from "@propgate/core";
import {
  type LinkedAccount,
  type LinkedAccountStore,
  type LinkedRecord,
  type LinkedRecordKind,
  putRecent,
} from "@propgate/ledger";

/** The items of an account that are stored one by one. */
export interface LinkedRecords {
  /**
   * Reads the records of a kind, newest first. The account's revision increases with every record, so a kept list of
   * the same revision is still complete.
   */
  read(
    account: Pick<LinkedAccount, "accountId" | "revision">,
    kind: LinkedRecordKind,
  ): Promise<readonly LinkedRecord[]>;
}

/** The maximum number of lists that are kept; each is of one account and kind. */
const LISTS_MAX = 1_000;
/** The maximum number of records in a list: more than an account has in years. */
const RECORDS_MAX = 20_000;

/** Reads the records of accounts and keeps the lists that were read last. */
export function createLinkedRecords(store: Pick<LinkedAccountStore, "records">): LinkedRecords {
  const known = new Map<`${AccountId} ${LinkedRecordKind}`, KnownList>();
  return {
    async read({ accountId, revision }, kind) {
      const key = `${accountId} ${kind}` as const;
      const before = known.get(key);
      if (before?.revision === revision) return before.records;
      const records = await store.records(accountId, kind, RECORDS_MAX);
      putRecent(known, { key, value: { revision, records }, max: LISTS_MAX });
      return records;
    },
  };
}

interface KnownList {
  readonly revision: number;
  readonly records: readonly LinkedRecord[];
}
