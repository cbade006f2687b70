import { decodeDashboard } from "../dashboard/decode-dashboard.ts";
import type { DashboardPart } from "../dashboard/linked-readings.ts";
import type { Literal } from "../python-literal.ts";

/** A made subaccount. Its number is 0, which is as valid as any other. */
export const MADE_SUBACCOUNT = { hotkey: "5GhDr3xyMade_0", subaccountId: 0 } as const;

type Section = Readonly<Record<string, Literal>>;

export const MADE_INFO_SECTION: Section = {
  synthetic_hotkey: MADE_SUBACCOUNT.hotkey,
  subaccount_id: MADE_SUBACCOUNT.subaccountId,
  asset_class: "crypto",
  account_size: 100_000,
  status: "active",
};

/** An answer of the dashboard with these sections, and with the one section that every answer has. */
export function madeDashboardAnswer(sections: Readonly<Record<string, Literal>> = {}): Literal {
  return {
    status: "success",
    dashboard: { subaccount_info: MADE_INFO_SECTION, ...sections },
    timestamp: 1_794_996_000_000,
  };
}

/** The decoded answer of `madeDashboardAnswer`. @throws Error when the answer is refused */
export function madeDashboardPart(sections: Readonly<Record<string, Literal>> = {}): DashboardPart {
  const decoded = decodeDashboard(madeDashboardAnswer(sections), MADE_SUBACCOUNT);
  if (!decoded.ok) throw new Error(decoded.why);
  return decoded.part;
}

/** An open position with one fill; `changes` replace its keys. */
export function madePosition(openMs: number, changes: Section = {}): Literal {
  return {
    tp: "BTC/USDC",
    t: "LONG",
    o: openMs,
    up: 10,
    fo: { "fill-1": { t: "LONG", e: "MARKET", p: openMs, q: 1, v: 100 } },
    ...changes,
  };
}

export function madeOrder(processedMs: number, changes: Section = {}): Literal {
  return { tp: "BTC/USDC", t: "LONG", e: "LIMIT", p: processedMs, q: 1, lp: 90_000, ...changes };
}
