import {
  type Instruments,
  pairNames,
  price,
  type Quote,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import { z } from "zod";
import { must, oneOf, type Parsed, parseBody, shortText } from "../calls/json/json-fields.ts";
import { PRO_OFFER, proOffer } from "../calls/operator/operator-requests.ts";
import type { AccountDeed } from "../calls/operator/operator-services.ts";
import { FAULTS, type Faults } from "./faults.ts";

/*
 * The bodies that only the sandbox has. Accounts, keys and payments have the operator's parsers. Like those,
 * the bodies here reject unknown fields; only quotes may have more.
 */

/** 2100-01-01 */
const LATEST_MS = 4_102_444_800_000;
const QUOTES_MAX = 10_000;
/** Outside this range, a position cannot be valued to the micro dollar. */
const PRICE_MIN = 1e-9;
const PRICE_MAX = 1e9;

const milliseconds = z
  .int(must("must be a whole number of milliseconds"))
  .min(0, "must not be below 0");

const ABOVE_ZERO = "must be a number above 0";
const quotedPrice = z
  .number(must(ABOVE_ZERO))
  .positive(ABOVE_ZERO)
  .min(PRICE_MIN, `must be at least ${PRICE_MIN}`)
  .max(PRICE_MAX, `must be at most ${PRICE_MAX}`);

const CLOCK_MOVE = z.strictObject({
  set: milliseconds.optional(),
  advance: milliseconds.optional(),
});

/** Quotes may have more fields: recorded prices often do. */
const QUOTES = z
  .array(
    z.object({
      pair: z.string(must("must be a pair such as BTCUSD")),
      bid: quotedPrice,
      ask: quotedPrice,
    }),
    must("must be a list of quotes"),
  )
  .max(QUOTES_MAX, `must have at most ${QUOTES_MAX} quotes`);

const ACTION = z.discriminatedUnion(
  "action",
  [
    z.strictObject({ action: z.literal(["promote", "close", "provision"]) }),
    PRO_OFFER.extend({ action: z.literal("offerPro") }),
    z.strictObject({
      action: z.literal("eliminate"),
      reason: shortText(200).default("LIQUIDATED"),
    }),
  ],
  "must be one of promote, close, provision, offerPro, eliminate",
);

const FAULT_CHANGE = z.strictObject({
  network: oneOf(FAULTS.network).optional(),
  trades: oneOf(FAULTS.trades).optional(),
  stats: oneOf(FAULTS.stats).optional(),
  orders: oneOf(FAULTS.orders).optional(),
  secrets: oneOf(FAULTS.secrets).optional(),
});

export function parseAction(body: unknown): Parsed<AccountDeed> {
  return parseBody(ACTION, body, (given) => {
    switch (given.action) {
      case "eliminate":
        return { deed: "eliminate", reason: given.reason };
      case "offerPro":
        return { deed: "offerPro", ...proOffer(given) };
      case "promote":
      case "close":
      case "provision":
        return { deed: given.action };
    }
  });
}

/** The faults to change; the others stay unchanged. */
export function parseFaultChange(
  body: unknown,
): Parsed<{ readonly [Name in keyof Faults]?: Faults[Name] | undefined }> {
  return parseBody(FAULT_CHANGE, body, (change) => change);
}

/** The time to move the clock to. */
export function parseClockMove(body: unknown, now: UnixMs): Parsed<UnixMs> {
  const parsed = parseBody(CLOCK_MOVE, body, (move) => move);
  if (!parsed.ok) return parsed;
  const { set, advance } = parsed.value;
  if (set === undefined && advance === undefined) return wrong("set or advance: one is needed");
  if (set !== undefined && advance !== undefined)
    return wrong("set and advance: only one may be sent");
  const target = set ?? now + (advance ?? 0);
  if (target > LATEST_MS)
    return wrong(`${set === undefined ? "advance" : "set"}: beyond the year 2099`);
  if (target < now) return wrong(`set: ${target} is before ${now}, and the clock does not go back`);
  return { ok: true, value: unixMs(target) };
}

/** The quotes of a call, stamped with the sandbox's time. */
export function parseQuotes(
  body: unknown,
  at: { readonly instruments: Instruments; readonly now: UnixMs },
): Parsed<readonly Quote[]> {
  const parsed = parseBody(QUOTES, body, (quotes) => quotes);
  if (!parsed.ok) return parsed;
  const pairOf = pairNames(at.instruments);
  const quotes: Quote[] = [];
  for (const [index, { pair, bid, ask }] of parsed.value.entries()) {
    const id = pairOf(pair);
    if (!at.instruments.has(id)) return wrong(`[${index}].pair: ${pair} is not in the catalogue`);
    if (bid > ask) return wrong(`[${index}].bid: ${bid} is above the ask ${ask}`);
    quotes.push({ pair: id, bid: price(bid), ask: price(ask), atMs: at.now });
  }
  return { ok: true, value: quotes };
}

function wrong(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}
