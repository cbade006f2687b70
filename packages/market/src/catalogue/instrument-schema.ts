import {
  type CarryModel,
  type Instrument,
  leverage,
  pairId,
  price,
  QUANTITY_PER_LOT,
  quantity,
  ratio,
  roundUsd,
} from "@propgate/core";
import { z } from "zod";
import type { SimulationParameters } from "../prices/simulated-market.ts";
import {
  AMOUNT_MAX,
  capSchema,
  positiveAmountSchema,
  positiveWholeSchema,
  schemaErrorTexts,
  shareSchema,
} from "./data-file.ts";

export const ASSET_CLASSES = ["crypto", "forex", "indices", "equities", "commodities"] as const;

const word = z
  .string(schemaErrorTexts("must be a string"))
  .min(1, schemaErrorTexts("must be a string"));

/** A number of lots. Sizes are whole multiples of 0.00001 lot, so a step must be one too. */
const lotSteps = z
  .number(schemaErrorTexts("must be a number of lots above 0"))
  .gt(0, schemaErrorTexts("must be a number of lots above 0"))
  .lte(AMOUNT_MAX, schemaErrorTexts(`must be at most ${AMOUNT_MAX}`))
  .refine(
    (lots) => Number.isInteger(stepsOf(lots)),
    schemaErrorTexts("must be a multiple of 0.00001 lot"),
  )
  .transform((lots) => quantity(stepsOf(lots)));

function stepsOf(lots: number): number {
  return Number((lots * QUANTITY_PER_LOT).toPrecision(12));
}

const leastPosition = z.union(
  [
    z.strictObject({ usd: positiveAmountSchema }).transform(({ usd }) => ({
      kind: "value" as const,
      value: roundUsd(usd),
    })),
    z.strictObject({ lots: lotSteps }).transform(({ lots }) => ({
      kind: "quantity" as const,
      quantity: lots,
    })),
  ],
  schemaErrorTexts('must be {"usd": amount} or {"lots": size}'),
);

/**
 * The smallest allowed `staleAfterMs`. Quotes need time to arrive, so a smaller limit would make most of them stale.
 */
const STALE_AFTER_MIN_MS = 1_000;

const staleAfterMs = positiveWholeSchema.gte(
  STALE_AFTER_MIN_MS,
  schemaErrorTexts(`must be at least ${STALE_AFTER_MIN_MS}`),
);

const DAYS_PER_YEAR = 365;

const NONE = z.strictObject({ kind: z.literal("none") });
const rate = shareSchema.transform(ratio);

/**
 * The fixed funding rate of one hour, as a share of the position's value; below zero when shorts pay longs. Null when
 * the service takes the rate of each hour from a venue or an operator.
 */
const fundingRate = z
  .number(schemaErrorTexts("must be a share from -1 to 1, or null"))
  .gte(-1, schemaErrorTexts("must be a share from -1 to 1, or null"))
  .lte(1, schemaErrorTexts("must be a share from -1 to 1, or null"))
  .transform(ratio)
  .nullable();

const carry = z.discriminatedUnion(
  "kind",
  [
    NONE,
    z.strictObject({ kind: z.literal("everyEightHours"), rate }),
    z.strictObject({ kind: z.literal("daily"), yearlyRate: rate }),
    z.strictObject({
      kind: z.literal("everyHour"),
      rate: fundingRate,
      /** True when a position pays funding and never receives it. */
      costOnly: z.boolean(schemaErrorTexts("must be true or false")).default(false),
    }),
  ],
  schemaErrorTexts("must be of kind none, everyEightHours, daily or everyHour"),
);

const slippage = z.discriminatedUnion(
  "kind",
  [
    NONE,
    z
      .strictObject({
        kind: z.literal("linear"),
        freeUpToUsd: z
          .number(schemaErrorTexts("must be an amount, 0 or more"))
          .gte(0, schemaErrorTexts("must be an amount, 0 or more"))
          .lte(AMOUNT_MAX, schemaErrorTexts(`must be at most ${AMOUNT_MAX}`)),
        perMillion: rate,
        most: rate,
      })
      .transform(({ freeUpToUsd, ...model }) => ({ ...model, freeUpTo: roundUsd(freeUpToUsd) })),
  ],
  schemaErrorTexts("must be of kind none or linear"),
);

/** Whether an order is accepted whose price is not a multiple of the tick. @rule D6.priceStep */
const OFF_TICK_PRICES = ["accept", "refuse"] as const;

const cap = capSchema.transform(leverage);

/** The names of the instrument at venues, by the venue's name in `PROPGATE_PRICES`. @rule D6.symbols decides */
const symbols = z.record(
  z.string().regex(/^[a-z][a-z0-9]{0,31}$/),
  z
    .string(schemaErrorTexts("must be the instrument's name at the venue"))
    .regex(
      /^[\x21-\x7e]{1,64}$/,
      schemaErrorTexts("must be 1 to 64 printable characters, no spaces"),
    ),
  schemaErrorTexts("must be names by venue, a venue in lower-case letters and digits"),
);

const A_PAIR_NAME = "must be 1 to 20 letters, digits and _";

/** An id or alias. Requests may write it in any case, so `checkNames` refuses two names that differ only in case. */
const pairName = z
  .string(schemaErrorTexts(A_PAIR_NAME))
  .regex(/^[A-Za-z0-9_]{1,20}$/, schemaErrorTexts(A_PAIR_NAME));

/** An instrument with every field, after the defaults of its class and its own fields are merged. */
export const instrumentSchema = z.strictObject(
  {
    id: pairName.transform(pairId),
    display: word,
    aliases: z.array(pairName, schemaErrorTexts("must be a list of names")).default([]),
    class: z.enum(ASSET_CLASSES, schemaErrorTexts(`must be one of ${ASSET_CLASSES.join(", ")}`)),
    base: word,
    quote: word,
    quoteIsUsd: z.boolean(schemaErrorTexts("must be true or false")).default(false),
    symbols: symbols.default({}),
    lotSize: positiveAmountSchema,
    gridStep: lotSteps,
    gridStepSmallAccount: lotSteps.nullable(),
    leastPosition,
    tick: positiveAmountSchema.transform(price),
    offTickPrices: z
      .enum(OFF_TICK_PRICES, schemaErrorTexts(`must be one of ${OFF_TICK_PRICES.join(", ")}`))
      .default("accept"),
    feeRatio: rate,
    carry,
    /** The cost of a short position for one year, as a share of its value; absent when borrowing is free. */
    borrowYearlyRate: rate.optional(),
    spreadRatio: rate,
    slippage,
    leverageCaps: z.strictObject(
      { tier1: cap, tier2: cap, tier3: cap, pro: cap },
      schemaErrorTexts("must have tier1, tier2, tier3 and pro"),
    ),
    exposureGroups: z.array(word, schemaErrorTexts("must be a list of strings")),
    session: word,
    staleAfterMs,
    sessionGapMax: rate.optional(),
    blocked: z.boolean(schemaErrorTexts("must be true or false")),
    retired: z.boolean(schemaErrorTexts("must be true or false")).default(false),
    simulation: z
      .strictObject(
        { referencePrice: positiveAmountSchema, annualVolatility: capSchema },
        schemaErrorTexts("must have referencePrice and annualVolatility"),
      )
      .nullable()
      .default(null),
  },
  schemaErrorTexts("must be an instrument"),
);

type InstrumentEntry = z.infer<typeof instrumentSchema>;

/** Makes the instrument that an entry of the catalogue describes, with its session. */
export function instrumentOf(entry: InstrumentEntry, session: Instrument["session"]): Instrument {
  return {
    id: entry.id,
    display: entry.display,
    aliases: entry.aliases,
    assetClass: entry.class,
    base: entry.base,
    quote: entry.quote,
    quoteIsUsd: entry.quoteIsUsd,
    lotSize: entry.lotSize,
    gridStep: entry.gridStep,
    gridStepSmallAccount: entry.gridStepSmallAccount,
    leastPosition: entry.leastPosition,
    tick: entry.tick,
    priceStep: entry.offTickPrices === "refuse" ? entry.tick : null,
    feeRatio: entry.feeRatio,
    carry: carryModel(entry.carry),
    ...(entry.borrowYearlyRate === undefined
      ? {}
      : { borrowRate: ratio(entry.borrowYearlyRate / DAYS_PER_YEAR) }),
    spreadRatio: entry.spreadRatio,
    slippage: entry.slippage,
    leverageCaps: entry.leverageCaps,
    exposureGroups: entry.exposureGroups,
    session,
    staleAfterMs: entry.staleAfterMs,
    ...(entry.sessionGapMax === undefined ? {} : { sessionGapMax: entry.sessionGapMax }),
    blocked: entry.blocked || entry.retired,
    ...(entry.retired ? { retired: true } : {}),
  };
}

/** The parameters for the simulated market; null when it cannot price the instrument. */
export function simulationOf(entry: InstrumentEntry): SimulationParameters | null {
  return entry.simulation;
}

/** The carry of an entry of the catalogue. A yearly rate is divided by 365, in leap years too. @rule D7.carry */
function carryModel(given: z.infer<typeof carry>): CarryModel {
  switch (given.kind) {
    case "daily":
      return { kind: "daily", rate: ratio(given.yearlyRate / DAYS_PER_YEAR) };
    case "everyHour":
      return {
        kind: "everyHour",
        rate: given.rate,
        ...(given.costOnly ? { isCostOnly: true } : {}),
      };
    case "none":
    case "everyEightHours":
      return given;
  }
}
