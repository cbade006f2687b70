import {
  createPairFinder,
  type Instruments,
  price,
  type Quote,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import { z } from "zod";
import {
  fieldErrorTexts,
  fieldProblem,
  oneOfSchema,
  type Parsed,
  parseBody,
  shortTextSchema,
  visibleTextSchema,
} from "../calls/json/json-fields.ts";
import { PRO_OFFER, proOffer } from "../calls/operator/operator-requests.ts";
import type { AccountDeed } from "../calls/operator/operator-services.ts";
import { FAULTS, type Faults } from "./faults.ts";
import type { SandboxValidator, ValidatorQuote } from "./sandbox-validator.ts";

/*
 * The bodies that only the sandbox has. Accounts, keys and payments have the parsers of the operator's interface. Like
 * those, the parsers here reject unknown fields, except in quotes.
 */

/** The latest time to which the clock may be moved: 2100-01-01 00:00 UTC. */
const LATEST_MS = 4_102_444_800_000;
const QUOTES_MAX = 10_000;
/** The range of prices. Outside of it, a position cannot be valued to the micro dollar. */
const PRICE_MIN = 1e-9;
const PRICE_MAX = 1e9;
const SIZE_MAX = 1_000_000;

const milliseconds = z
  .int(fieldErrorTexts("must be a whole number of milliseconds"))
  .min(0, "must not be below 0");

const ABOVE_ZERO = "must be a number above 0";
const quotedPrice = z
  .number(fieldErrorTexts(ABOVE_ZERO))
  .positive(ABOVE_ZERO)
  .min(PRICE_MIN, `must be at least ${PRICE_MIN}`)
  .max(PRICE_MAX, `must be at most ${PRICE_MAX}`);

const CLOCK_MOVE = z.strictObject({
  set: milliseconds.optional(),
  advance: milliseconds.optional(),
});

/** Quotes may have more fields than these, because recorded prices often do. */
const QUOTES = z
  .array(
    z.object({
      pair: z.string(fieldErrorTexts("must be a pair such as BTCUSD")),
      bid: quotedPrice,
      ask: quotedPrice,
    }),
    fieldErrorTexts("must be a list of quotes"),
  )
  .max(QUOTES_MAX, `must have at most ${QUOTES_MAX} quotes`);

const ACTION = z.discriminatedUnion(
  "action",
  [
    z.strictObject({ action: z.literal(["promote", "provision"]) }),
    z.strictObject({
      action: z.literal("close"),
      forfeit: z.boolean(fieldErrorTexts("must be true or false")).default(false),
    }),
    PRO_OFFER.extend({ action: z.literal("offerPro") }),
    z.strictObject({
      action: z.literal("eliminate"),
      reason: visibleTextSchema(200).default("LIQUIDATED"),
    }),
  ],
  "must be one of promote, provision, close, offerPro, eliminate",
);

const FAULT_CHANGE = z.strictObject({
  network: oneOfSchema(FAULTS.network).optional(),
  trades: oneOfSchema(FAULTS.trades).optional(),
  stats: oneOfSchema(FAULTS.stats).optional(),
  orders: oneOfSchema(FAULTS.orders).optional(),
  secrets: oneOfSchema(FAULTS.secrets).optional(),
  webhooks: oneOfSchema(FAULTS.webhooks).optional(),
  operator: oneOfSchema(FAULTS.operator).optional(),
});

/** Parses an action on an account. It never names the phase in which the account was seen. */
export function parseAction(body: unknown): Parsed<AccountDeed> {
  return parseBody(ACTION, body, (given) => {
    switch (given.action) {
      case "eliminate":
        return { deed: "eliminate", reason: given.reason, phase: null };
      case "offerPro":
        return { deed: "offerPro", ...proOffer(given), phase: null };
      case "close":
        return { deed: "close", forfeit: given.forfeit, phase: null };
      case "promote":
        return { deed: "promote", phase: null };
      case "provision":
        return { deed: "provision" };
    }
  });
}

/** Parses the faults to change. A fault that is not named stays unchanged. */
export function parseFaultChange(
  body: unknown,
): Parsed<{ readonly [Name in keyof Faults]?: Faults[Name] | undefined }> {
  return parseBody(FAULT_CHANGE, body, (change) => change);
}

/**
 * Parses a move of the clock: to a time (`set`) or by a duration (`advance`). Returns the time to which the clock is to
 * be moved, which is not before `now`.
 */
export function parseClockMove(body: unknown, now: UnixMs): Parsed<UnixMs> {
  const parsed = parseBody(CLOCK_MOVE, body, (move) => move);
  if (!parsed.ok) return parsed;
  const { set, advance } = parsed.value;
  if (set === undefined && advance === undefined) return NO_MOVE;
  if (set !== undefined && advance !== undefined) return TWO_MOVES;
  const target = set ?? now + (advance ?? 0);
  if (target > LATEST_MS) {
    return fieldProblem(set === undefined ? "advance" : "set", "beyond the year 2099");
  }
  if (target < now) {
    return fieldProblem("set", `${target} is before ${now}, and the clock does not go back`);
  }
  return { ok: true, value: unixMs(target) };
}

const NO_MOVE = fieldProblem("set or advance", "one is needed");
const TWO_MOVES = fieldProblem("set and advance", "only one may be sent");

/** The quotes of a call by the network that uses them. A quote of a pair that both networks have is in both lists. */
export interface ParsedQuotes {
  /** Quotes of pairs in the catalogue, with the sandbox's time. */
  readonly embedded: readonly Quote[];
  readonly validator: readonly ValidatorQuote[];
}

/**
 * Parses quotes, and divides them by the network that has their pair. A pair of neither network is a problem, and so is
 * a bid above the ask.
 */
export function parseQuotes(
  body: unknown,
  at: {
    readonly instruments: Instruments;
    readonly now: UnixMs;
    /** The validator of the sandbox; null when it has none. */
    readonly validator: Pick<SandboxValidator, "hasPair"> | null;
  },
): Parsed<ParsedQuotes> {
  const parsed = parseBody(QUOTES, body, (quotes) => quotes);
  if (!parsed.ok) return parsed;
  const pairOf = createPairFinder(at.instruments);
  const embedded: Quote[] = [];
  const validator: ValidatorQuote[] = [];
  for (const [index, { pair, bid, ask }] of parsed.value.entries()) {
    const id = pairOf(pair);
    const isEmbedded = at.instruments.has(id);
    const isAtValidator = at.validator?.hasPair(pair) ?? false;
    if (!isEmbedded && !isAtValidator)
      return fieldProblem(`[${index}].pair`, `${pair} is not in the catalogue`);
    if (bid > ask) return fieldProblem(`[${index}].bid`, `${bid} is above the ask ${ask}`);
    if (isEmbedded) embedded.push({ pair: id, bid: price(bid), ask: price(ask), atMs: at.now });
    if (isAtValidator) validator.push({ pair, bid, ask });
  }
  return { ok: true, value: { embedded, validator } };
}

const NEW_SUBACCOUNT = z.strictObject({
  size: z
    .number(fieldErrorTexts(ABOVE_ZERO))
    .positive(ABOVE_ZERO)
    .max(SIZE_MAX, `must be at most ${SIZE_MAX}`),
  ownerId: shortTextSchema(64).default("owner-1"),
});

/** Parses the size and the owner of a subaccount that is opened at the sandbox's validator and linked. */
export function parseNewSubaccount(
  body: unknown,
): Parsed<{ readonly size: number; readonly ownerId: string }> {
  return parseBody(NEW_SUBACCOUNT, body, (given) => given);
}
