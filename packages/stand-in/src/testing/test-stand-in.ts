import { onTestFinished } from "vitest";
import { openStandIn, type StandIn, type StandInOptions } from "../stand-in.ts";

/** An answer as it came over the wire. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly text: string;
  readonly body: Body;
}

/** A JSON object whose values a test reads by path. */
export interface Body {
  readonly [key: string]: unknown;
}

/** A stand-in with one subaccount, and the calls that a test makes over HTTP. */
export interface TestStandIn {
  readonly standIn: StandIn;
  readonly control: StandIn["control"];
  readonly hotkey: string;
  submit(body: Body): Promise<ReceivedAnswer>;
  status(uuid: string): Promise<ReceivedAnswer>;
  dashboard(query?: string): Promise<ReceivedAnswer>;
  get(path: string, key?: string): Promise<ReceivedAnswer>;
}

type Account = Parameters<StandIn["control"]["addSubaccount"]>[0];

/** Opens a stand-in for one test, with a clock that the test moves. */
export async function openTestStandIn(
  account: Account = {},
  options: StandInOptions = {},
): Promise<TestStandIn> {
  const clock = { now: () => Date.UTC(2026, 10, 2, 12) };
  const standIn = await openStandIn({ clock, ...options });
  onTestFinished(() => standIn.close());
  const { control, keys, gatewayUrl, validatorUrl } = standIn;
  const { hotkey, number } = await control.addSubaccount({ assetClass: "all_markets", ...account });
  const get = (path: string, key = keys.validator) =>
    call(`${validatorUrl}${path}`, { headers: { authorization: `Bearer ${key}` } });
  return {
    standIn,
    control,
    hotkey,
    get,
    submit: (body) =>
      call(`${gatewayUrl}/api/submit-order`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${keys.gateway}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ subaccount_id: number, ...body }),
      }),
    status: (uuid) =>
      call(`${gatewayUrl}/api/order-status/${uuid}`, {
        headers: { authorization: `Bearer ${keys.gateway}` },
      }),
    dashboard: (query = "") => get(`/v2/entity/subaccount/${hotkey}${query}`),
  };
}

/** The body of a MARKET order. */
export function marketBody(pair: string, type: string, size: Body = {}): Body {
  return { execution_type: "MARKET", trade_pair: pair, order_type: type, ...size };
}

/** The body of a LIMIT order. */
export function limitBody(pair: string, type: string, price: number, size: Body): Body {
  return {
    execution_type: "LIMIT",
    trade_pair: pair,
    order_type: type,
    limit_price: price,
    ...size,
  };
}

/** The value at a path of object keys; undefined where the path ends early. */
export function valueAt(body: Body, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null ? (value as Body)[key] : undefined,
    body,
  );
}

/** The object at a path; a test fails when there is none. */
export function objectAt(body: Body, ...path: readonly string[]): Body {
  const value = valueAt(body, ...path);
  if (typeof value !== "object" || value === null) throw new Error(`nothing at ${path.join(".")}`);
  return value as Body;
}

async function call(url: string, request: RequestInit): Promise<ReceivedAnswer> {
  const response = await fetch(url, { redirect: "manual", ...request });
  const text = await response.text();
  return { status: response.status, text, body: parsed(text) };
}

function parsed(text: string): Body {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Body) : {};
  } catch {
    return {};
  }
}
