import type { IncomingMessage } from "node:http";
import type { NetworkState, Subaccount } from "../network/state.ts";
import { eliminateSubaccount } from "../orders/eliminate-subaccount.ts";
import { submitOrder } from "../orders/submit.ts";
import { fillByItself } from "../orders/triggers.ts";
import { type DashboardCursors, readDashboard } from "../reads/dashboard.ts";
import { readLimits, readTradePairs } from "../reads/limits.ts";
import { errorAnswer, type HttpAnswer, isRecord } from "./answer.ts";
import type { CallName, Fault } from "./faults.ts";

/** A request that names a call of the validator or the gateway. */
export interface Route {
  readonly call: CallName;
  /** The lowest tier of the validator's API keys that may make the call; 0 when the call needs no key. */
  readonly tier: number;
  readonly hotkey: string | null;
  readonly url: URL;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly orderUuid: string | null;
}

/** Everything that the answer of a route depends on. */
export interface RouteContext {
  readonly state: NetworkState;
  readonly wrapsData: boolean;
  now(): number;
  save(): void;
}

/** The call that a request names; null when it names none, which gets a 404. */
export function routeOf(
  { method, url = "/" }: IncomingMessage,
  body: Readonly<Record<string, unknown>> | null,
  entity: string,
): Route | null {
  const target = new URL(url, "http://stand-in");
  const path = target.pathname;
  const route = (call: CallName, tier: number, hotkey: string | null = null): Route => ({
    call,
    tier,
    hotkey,
    url: target,
    body,
    orderUuid: null,
  });
  if (method === "POST" && path === "/api/submit-order") {
    const number = body?.subaccount_id;
    const hotkey = typeof number === "number" ? `${entity}_${number}` : null;
    return { ...route("submit", 100, hotkey), orderUuid: uuidIn(body) };
  }
  if (method === "POST" && path === "/entity/subaccount/payout") return route("payout", 200);
  if (method !== "GET") return null;
  if (path === "/api/health") return route("health", 0);
  if (path === "/trade-pairs") return route("pairs", 0);
  const [, status] = /^\/api\/order-status\/([^/]+)$/.exec(path) ?? [];
  if (status !== undefined) {
    return { ...route("status", 100), orderUuid: decodeURIComponent(status) };
  }
  const [, reader] = /^\/v2\/entity\/subaccount\/([^/]+)$/.exec(path) ?? [];
  if (reader !== undefined) return route("dashboard", 200, decodeURIComponent(reader));
  const [, limited] = /^\/subaccounts\/([^/]+)\/limits$/.exec(path) ?? [];
  return limited === undefined ? null : route("limits", 100, decodeURIComponent(limited));
}

function uuidIn(body: Readonly<Record<string, unknown>> | null): string | null {
  return typeof body?.order_uuid === "string" ? body.order_uuid : null;
}

/** Does the work of a route, with the faults that change the work. */
export function answerRoute(
  scene: RouteContext,
  route: Route,
  faults: readonly Fault[],
): HttpAnswer {
  const { state } = scene;
  const account = route.hotkey === null ? undefined : state.subaccounts[route.hotkey];
  const hadDrained = (account?.undrained.length ?? 0) > 0;
  if (account !== undefined) applyStateFaults(scene, route, { account, faults, when: "before" });
  const answer = answerCall(scene, route, { account, faults });
  if (account !== undefined) applyStateFaults(scene, route, { account, faults, when: "after" });
  // The state is saved only after calls that may have changed it, because writing the file of a long run takes a while.
  if (route.call === "submit" || hadDrained || faults.length > 0) scene.save();
  return answer;
}

function applyStateFaults(
  scene: RouteContext,
  route: Route,
  {
    account,
    faults,
    when,
  }: {
    readonly account: Subaccount;
    readonly faults: readonly Fault[];
    readonly when: "before" | "after";
  },
): void {
  for (const fault of faults) {
    if (fault.kind === "eliminate" && fault.when === when) {
      const elimination = { reason: "FAILED_CHALLENGE_PERIOD_INTRADAY_DRAWDOWN", dd: 5.2 };
      eliminateSubaccount(scene.state, account, elimination, scene.now());
    }
    if (fault.kind === "fill" && fault.when === when) {
      const named = (route.orderUuid ?? "").split(",");
      fillByItself(scene.state, account, { named, nowMs: scene.now() });
    }
    if (when === "after") continue;
    if (fault.kind === "drainedByAnother") {
      account.lastDrained = account.undrained;
      account.undrained = [];
    }
    if (fault.kind === "drainAgain") {
      account.undrained = [...account.lastDrained, ...account.undrained];
    }
  }
}

interface Work {
  readonly account: Subaccount | undefined;
  readonly faults: readonly Fault[];
}

function answerCall(scene: RouteContext, route: Route, { account, faults }: Work): HttpAnswer {
  switch (route.call) {
    case "submit":
      return answerSubmit(scene, route, { account, faults });
    case "status":
      return answerOrderStatus(scene.state, route.orderUuid ?? "");
    case "health":
      return { status: 200, body: { status: "healthy", timestamp: scene.now() } };
    case "dashboard":
      return answerDashboard(scene, route, account);
    case "limits":
      if (account === undefined) return errorAnswer(400, "Not a subaccount");
      return dataAnswer(scene, readLimits(account));
    case "pairs":
      return dataAnswer(scene, readTradePairs(route.url.searchParams.get("is_pro") === "true"));
    case "payout":
      return answerPayout(scene, route);
  }
}

function dataAnswer(scene: RouteContext, values: Readonly<Record<string, unknown>>): HttpAnswer {
  const timestamp = scene.now();
  const body = scene.wrapsData ? { data: values } : values;
  return { status: 200, body: { status: "success", ...body, timestamp } };
}

function answerSubmit(scene: RouteContext, { body }: Route, { account, faults }: Work): HttpAnswer {
  if (body === null) return failedAnswer("Invalid JSON body");
  if (body.subaccount_id === undefined)
    return failedAnswer("Missing required field: subaccount_id");
  if (account === undefined)
    return failedAnswer(`Subaccount not found: ${JSON.stringify(body.subaccount_id)}`);
  if (faults.some(({ kind }) => kind === "nothingDone")) {
    return { status: 200, body: { success: true, order_uuid: body.order_uuid ?? null } };
  }
  const refused = faults.find((fault) => fault.kind === "refuseLegs");
  const result = submitOrder(scene.state, account, body, {
    nowMs: scene.now(),
    legsMax: refused?.from ?? Number.POSITIVE_INFINITY,
  });
  return {
    status: result.isAccepted ? 200 : 400,
    body: {
      success: result.isAccepted,
      order_uuid: result.uuid,
      order_json: result.orderJson,
      error_message: result.error ?? "",
      processing_time: 0.125,
      message: result.isAccepted
        ? "Order successfully processed by Taoshi validator"
        : "Order failed on Taoshi validator",
    },
  };
}

function failedAnswer(error: string): HttpAnswer {
  return { status: 400, body: { success: false, error } };
}

function answerOrderStatus(state: NetworkState, uuid: string): HttpAnswer {
  const found = state.submissions.find(
    (one) => one.uuid === uuid && !/CANCEL|EDIT|FLAT_ALL/.test(one.executionType),
  );
  if (found === undefined) return { status: 404, body: { order_uuid: uuid, status: "not_found" } };
  return {
    status: 200,
    body: {
      order_uuid: uuid,
      status: found.isAccepted ? "completed" : "failed",
      order_json: found.orderJson,
      error_message: found.error ?? "",
    },
  };
}

function answerDashboard(
  scene: RouteContext,
  { url }: Route,
  account: Subaccount | undefined,
): HttpAnswer {
  if (account === undefined) return errorAnswer(404, "Subaccount not found");
  const cursors = cursorsOf(url);
  if (cursors === null) return errorAnswer(400, "A cursor must be a time in milliseconds");
  const read = readDashboard(scene.state, account, cursors);
  return { status: 200, body: { status: "success", dashboard: read, timestamp: scene.now() } };
}

function cursorsOf({ searchParams }: URL): DashboardCursors | null {
  const read = (name: string): number | null => {
    const text = searchParams.get(name);
    return text === null ? null : /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  };
  const cursors: DashboardCursors = {
    positions: read("positions_time_ms"),
    limitOrders: read("limit_orders_time_ms"),
    checkpoints: read("checkpoints_time_ms"),
    dailyReturns: read("daily_returns_time_ms"),
  };
  return Object.values(cursors).some(Number.isNaN) ? null : cursors;
}

const HALF_DAY_MS = 43_200_000;
const WEEK_MS = 604_800_000;
/** 1970-01-05, the first Monday. */
const FIRST_MONDAY_MS = 345_600_000;

/** The payouts of a subaccount by its uuid. The start must be a Monday or 0, the end on the 12-hour grid or absent. */
function answerPayout(scene: RouteContext, { body }: Route): HttpAnswer {
  if (!isRecord(body)) return errorAnswer(400, "Invalid JSON body");
  const { subaccount_uuid: uuid, start_time_ms: start = 0, end_time_ms: end = null } = body;
  if (typeof uuid !== "string") return errorAnswer(400, "Missing required field: subaccount_uuid");
  if (typeof start !== "number" || (start !== 0 && (start - FIRST_MONDAY_MS) % WEEK_MS !== 0)) {
    return errorAnswer(400, "start_time_ms must be a Monday 00:00 UTC or 0");
  }
  if (end !== null && (typeof end !== "number" || end % HALF_DAY_MS !== 0 || end < start)) {
    return errorAnswer(400, "end_time_ms must be on a 12-hour boundary and not before the start");
  }
  const account = Object.values(scene.state.subaccounts).find((one) => one.uuid === uuid);
  if (account === undefined || account.payout === null) {
    return errorAnswer(404, "No ledger found for this subaccount");
  }
  return dataAnswer(scene, { hotkey: account.hotkey, ...account.payout });
}
