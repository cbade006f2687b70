import { type AccountId, roundUsd, type UnixMs, unixMs } from "@propgate/core";
import { type EquityFigures, type EquityStore, type LimitFloor, putRecent } from "@propgate/ledger";
import { LOSS_RULE_OF_WORD } from "@propgate/wire";
import type { LinkedReadings } from "../dashboard/linked-readings.ts";
import { linkedBalance, linkedEquity } from "../views/account-figures.ts";
import { linkedLossLimits } from "../views/loss-limits.ts";
import { linkedStatus } from "../views/phase.ts";

/** Records the equity of linked accounts, at most once a minute each. */
export interface EquityPoints {
  add(accountId: AccountId, readings: LinkedReadings, readAtMs: UnixMs): Promise<void>;
}

const MINUTE_MS = 60_000;
const ACCOUNTS_MAX = 10_000;

export function createEquityPoints(store: Pick<EquityStore, "add">): EquityPoints {
  const minutes = new Map<AccountId, UnixMs>();
  return {
    async add(accountId, readings, readAtMs) {
      // The time is rounded down to the minute, so that several processes record the same moment.
      const atMs = unixMs(readAtMs - (readAtMs % MINUTE_MS));
      if (minutes.get(accountId) === atMs) return;
      const figures = linkedEquityFigures(readings, atMs);
      if (figures === null) return;
      putRecent(minutes, { key: accountId, value: atMs, max: ACCOUNTS_MAX });
      await store.add([{ ...figures, accountId }]);
    },
  };
}

/** The figures of a reading for the equity history; null when the network sent no equity or no balance. */
export function linkedEquityFigures(readings: LinkedReadings, atMs: UnixMs): EquityFigures | null {
  const [equity, balance] = [linkedEquity(readings), linkedBalance(readings)];
  if (equity === null || balance === null) return null;
  const floors = linkedStatus(readings) === "active" ? floorsOf(readings, atMs) : [];
  return { atMs, equity, balance, floors };
}

/** The floors of the account's limits. A limit whose floor is not known is left out. */
function floorsOf(readings: LinkedReadings, atMs: UnixMs): readonly LimitFloor[] {
  const limits = linkedLossLimits(readings, atMs)?.rules.limits ?? [];
  return limits.flatMap(({ rule, floor }) =>
    floor === null ? [] : [{ rule: LOSS_RULE_OF_WORD[rule], floor: roundUsd(floor) }],
  );
}
