import { createSlots, type Slots } from "@propgate/base";
import type { DashboardCursors, Validator } from "./port.ts";
import { openUpstream, type UpstreamOptions } from "./upstream-options.ts";
import { withinTime } from "./within-time.ts";

const MEBIBYTE = 1_048_576;
const DASHBOARD_BYTES_MAX = 8 * MEBIBYTE;
const ANSWER_BYTES_MAX = 2 * MEBIBYTE;

/** The maximum number of calls for payouts, limits and pairs at the same time. */
const OTHERS_MAX = 16;

const READ = { method: "GET", body: null, mustSucceed: false } as const;

const PAYOUT = {
  method: "POST",
  path: "/entity/subaccount/payout",
  answerBytesMax: ANSWER_BYTES_MAX,
  mustSucceed: false,
} as const;

/**
 * The validator over HTTP. Dashboards have slots of their own, so that slow payouts do not delay them.
 * @throws CannotStart when the key cannot be sent, or not to this address
 */
export function createValidatorClient(options: UpstreamOptions): Validator & { close(): void } {
  const { host, limits, close } = openUpstream(options, OTHERS_MAX);
  const dashboards = createSlots(limits.readsMax);
  const others = createSlots(limits.othersMax);
  const get = (path: string, answerBytesMax: number, slots: Slots) =>
    withinTime(options.timer, limits.readTimeoutMs, (signal) =>
      host.call({ ...READ, path, answerBytesMax }, slots, signal),
    );
  return {
    dashboard: (hotkey, cursors) =>
      get(dashboardPath(hotkey, cursors), DASHBOARD_BYTES_MAX, dashboards),
    limits: (hotkey) =>
      get(`/subaccounts/${encodeURIComponent(hotkey)}/limits`, ANSWER_BYTES_MAX, others),
    tradePairs: () => get("/trade-pairs", ANSWER_BYTES_MAX, others),
    payout: (subaccountUuid, { startMs, endMs }) =>
      withinTime(options.timer, limits.readTimeoutMs, (signal) => {
        const body = JSON.stringify({
          subaccount_uuid: subaccountUuid,
          start_time_ms: startMs,
          ...(endMs === null ? {} : { end_time_ms: endMs }),
        });
        return host.call({ ...PAYOUT, body }, others, signal);
      }),
    health: () => host.health(),
    close,
  };
}

/** The query's name of each cursor. */
const CURSOR_NAMES = {
  positionsMs: "positions_time_ms",
  ordersMs: "limit_orders_time_ms",
  checkpointsMs: "checkpoints_time_ms",
  dailyReturnsMs: "daily_returns_time_ms",
} as const satisfies Record<keyof DashboardCursors, string>;

const CURSORS = Object.keys(CURSOR_NAMES) as (keyof DashboardCursors)[];

function dashboardPath(hotkey: string, cursors: DashboardCursors): string {
  const query = CURSORS.flatMap((cursor) => {
    const ms = cursors[cursor];
    return ms === null ? [] : [`${CURSOR_NAMES[cursor]}=${ms}`];
  }).join("&");
  const path = `/v2/entity/subaccount/${encodeURIComponent(hotkey)}`;
  return query === "" ? path : `${path}?${query}`;
}
