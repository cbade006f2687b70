import type { Account, Linked } from "@propgate/contract";
import { unixMs } from "@propgate/core";
import type { LinkedRecord } from "../../../ledger/src/storage/rows/linked-account.ts";
import type { LinkedReadings } from "../dashboard/linked-readings.ts";
import { mergeDashboard, NO_CURSORS } from "../dashboard/merge-dashboard.ts";
import type { Literal } from "../python-literal.ts";
import { linkedAccountView } from "../views/account.ts";
import { madeDashboardPart } from "./made-dashboard.ts";
import { RECORDED_ACCOUNT, RECORDED_AT_MS, readRecordedPairs } from "./recorded-subaccount.ts";

export interface MadeReadings {
  readonly readings: LinkedReadings;
  readonly records: readonly LinkedRecord[];
}

/** The state after a first answer with these sections. */
export function madeReadings(sections: Readonly<Record<string, Literal>>): MadeReadings {
  return mergeDashboard(null, madeDashboardPart(sections), {
    requested: NO_CURSORS,
    readAtMs: RECORDED_AT_MS,
  });
}

export function madeAccount({ readings, records }: MadeReadings): Account<Linked> {
  return linkedAccountView({
    accountId: RECORDED_ACCOUNT,
    readings,
    pairs: readRecordedPairs(),
    closedPositions: records.filter(({ kind }) => kind === "closedPosition"),
    dailyReturns: records.filter(({ kind }) => kind === "dailyReturn"),
    ownerAccounts: { active: 1, max: 5 },
    generatedAtMs: unixMs(RECORDED_AT_MS),
    stale: false,
  });
}
