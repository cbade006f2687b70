import { PAYOUT_STATUSES } from "@propgate/contract";
import {
  type Instruments,
  type PairId,
  pairId,
  percent,
  price,
  type Quote,
  roundUsd,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import { z } from "zod";
import { ACCOUNT_CLASSES } from "../http/wire.ts";
import type { NewAccount } from "../operator/operator-world.ts";
import { FAULTS } from "./faults.ts";

/** A body that was read, or the first thing wrong with it, with the field's name. */
export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

/** 2100-01-01 */
const LATEST_MS = 4_102_444_800_000;
const MOST_QUOTES = 10_000;
/** Beyond these a position could no longer be valued to the micro dollar. */
const PRICE_MIN = 1e-9;
const PRICE_MAX = 1e9;

const milliseconds = z.int("must be a whole number of milliseconds").min(0, "must not be below 0");
const positive = z.number("must be a number").positive("must be above 0");

const quotedPrice = positive
  .min(PRICE_MIN, `must be at least ${PRICE_MIN}`)
  .max(PRICE_MAX, `must be at most ${PRICE_MAX}`);

const accountSize = positive.max(100_000_000, "must be at most 100000000");

const shortText = (most: number) =>
  z
    .string("must be a text")
    .min(1, "must not be empty")
    .max(most, `must have at most ${most} characters`)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not hold control characters");

const CLOCK_MOVE = z.object({ set: milliseconds.optional(), advance: milliseconds.optional() });

const QUOTES = z
  .array(
    z.object({
      pair: z.string("must be a pair such as BTCUSD"),
      bid: quotedPrice,
      ask: quotedPrice,
    }),
    "the body must be a list of quotes",
  )
  .max(MOST_QUOTES, `at most ${MOST_QUOTES} quotes`);

const TIERS = {
  1: "tier1",
  2: "tier2",
  3: "tier3",
  tier1: "tier1",
  tier2: "tier2",
  tier3: "tier3",
} as const;

const ACCOUNT = z.object({
  size: accountSize,
  drawdownCriteria: z.enum(["static", "trailing"]).default("static"),
  assetClass: z
    .enum(["crypto", "forex", "indices", "equities", "commodities", "all_markets"])
    .default("all_markets"),
  dailyLossPct: positive.max(100, "must be at most 100").optional(),
  tier: z
    .union([z.literal([1, 2, 3]), z.enum(["tier1", "tier2", "tier3"])], "must be 1, 2 or 3")
    .default(1),
  provisioned: z.boolean("must be true or false").default(true),
});

export const ACTION = z.discriminatedUnion("action", [
  z.object({ action: z.literal("promote") }),
  z.object({ action: z.literal("offerPro"), proAccountSize: accountSize }),
  z.object({ action: z.literal("eliminate"), reason: shortText(200).default("LIQUIDATED") }),
  z.object({ action: z.literal("close") }),
  z.object({ action: z.literal("provision") }),
]);

/** What is not sent stays as it was. */
export const PAYMENT = z.object({
  status: z.enum(PAYOUT_STATUSES),
  rail: shortText(100).nullable().default(null),
  provider: shortText(100).nullable().default(null),
  reference: shortText(200).nullable().default(null),
});

export const KEY = z.object({
  accountId: z.string("must be an account's id"),
  scopes: z
    .array(z.enum(["trade:read", "trade:place"]), "must be a list of trade:read, trade:place")
    .min(1, "must name at least one scope"),
});

export const FAULT_CHANGE = z.object({
  network: z.enum(FAULTS.network).optional(),
  trades: z.enum(FAULTS.trades).optional(),
  stats: z.enum(FAULTS.stats).optional(),
  orders: z.enum(FAULTS.orders).optional(),
  secrets: z.enum(FAULTS.secrets).optional(),
});

/** Fields that are not known are ignored; a wrong one is named. */
export function parse<Value>(schema: z.ZodType<Value>, body: unknown): Parsed<Value> {
  const result = schema.safeParse(body);
  if (result.success) return { ok: true, value: result.data };
  const [issue] = result.error.issues;
  const path = (issue?.path ?? []).map((part) => (typeof part === "number" ? `[${part}]` : part));
  const text = issue?.message ?? "not understood";
  return wrong(path.length === 0 ? text : `${path.join(".").replaceAll(".[", "[")}: ${text}`);
}

/** Where the clock shall go. */
export function parseClockMove(body: unknown, now: UnixMs): Parsed<UnixMs> {
  const parsed = parse(CLOCK_MOVE, body);
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

/** The quotes of a call, stamped with the moment they came. */
export function parseQuotes(
  body: unknown,
  at: { readonly instruments: Instruments; readonly now: UnixMs },
): Parsed<readonly Quote[]> {
  const parsed = parse(QUOTES, body);
  if (!parsed.ok) return parsed;
  const quotes: Quote[] = [];
  for (const [index, { pair, bid, ask }] of parsed.value.entries()) {
    const id = canonicalPair(pair);
    if (!at.instruments.has(id)) return wrong(`[${index}].pair: ${pair} is not in the catalogue`);
    if (bid > ask) return wrong(`[${index}].bid: ${bid} is above the ask ${ask}`);
    quotes.push({ pair: id, bid: price(bid), ask: price(ask), atMs: at.now });
  }
  return { ok: true, value: quotes };
}

export function parseAccount(body: unknown): Parsed<NewAccount> {
  const parsed = parse(ACCOUNT, body);
  if (!parsed.ok) return parsed;
  const { size, assetClass, drawdownCriteria, dailyLossPct, tier, provisioned } = parsed.value;
  return {
    ok: true,
    value: {
      program: null,
      ownerId: null,
      size: roundUsd(size),
      assetClass: ACCOUNT_CLASSES[assetClass],
      criteria: drawdownCriteria,
      dailyLossPct: dailyLossPct === undefined ? null : percent(dailyLossPct),
      tier: TIERS[tier],
      provisioned,
    },
  };
}

function canonicalPair(text: string): PairId {
  return pairId(text.replace("/", "").toUpperCase());
}

function wrong(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}
