import type { AccountId } from "@propgate/core";
import { type LinkedAccount, putRecent } from "@propgate/ledger";
import type { LinkedReadings } from "../dashboard/linked-readings.ts";

/** Parses stored readings, and keeps the newest parsed ones of each account. */
export interface ParsedReadings {
  /** The readings of an account; null before the first reading. */
  readingsOf(account: Pick<LinkedAccount, "accountId" | "readings">): LinkedReadings | null;
}

const ACCOUNTS_MAX = 2_000;

export function createParsedReadings(): ParsedReadings {
  const parsed = new Map<AccountId, { readonly text: string; readonly value: LinkedReadings }>();
  return {
    readingsOf({ accountId, readings: text }) {
      if (text === null) return null;
      const known = parsed.get(accountId);
      if (known?.text === text) return known.value;
      const value = JSON.parse(text) as LinkedReadings;
      putRecent(parsed, { key: accountId, value: { text, value }, max: ACCOUNTS_MAX });
      return value;
    },
  };
}
