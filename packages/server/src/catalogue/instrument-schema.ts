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
import { above0, capAbove0, expected, NUMBER_MAX, share, wholeAbove0 } from "./data-file.ts";

export const ASSET_CLASSES = ["crypto", "forex", "indices", "equities", "commodities"] as const;

const word = z.string(expected("must be a string")).min(1, expected("must be a string"));

/** Sizes are whole multiples of 0.00001 lot, so a step must be one too. */
const lotSteps = z
  .number(expected("must be a number of lots above 0"))
  .gt(0, expected("must be a number of lots above 0"))
  .lte(NUMBER_MAX, expected(`must be at most ${NUMBER_MAX}`))
  .refine((lots) => Number.isInteger(stepsOf(lots)), expected("must be a multiple of 0.00001 lot"))
  .transform((lots) => quantity(stepsOf(lots)));

function stepsOf(lots: number): number {
  return Number((lots * QUANTITY_PER_LOT).toPrecision(12));
}

const leastPosition = z.union(
  [
    z.strictObject({ usd: above0 }).transform(({ usd }) => ({
      kind: "value" as const,
      value: roundUsd(usd),
    })),
    z.strictObject({ lots: lotSteps }).transform(({ lots }) => ({
      kind: "quantity" as const,
      quantity: lots,
    })),
  ],
  expected('must be {"usd": amount} or {"lots": size}'),
);

const DAYS_PER_YEAR = 365;

const NONE = z.strictObject({ kind: z.literal("none") });
const rate = share.transform(ratio);

const carry = z.discriminatedUnion(
  "kind",
  [
    NONE,
    z.strictObject({ kind: z.literal("everyEightHours"), rate }),
    z.strictObject({ kind: z.literal("daily"), yearlyRate: rate }),
  ],
  expected("must be of kind none, everyEightHours or daily"),
);

const slippage = z.discriminatedUnion(
  "kind",
  [
    NONE,
    z
      .strictObject({
        kind: z.literal("linear"),
        freeUpToUsd: z
          .number(expected("must be an amount, 0 or more"))
          .gte(0, expected("must be an amount, 0 or more"))
          .lte(NUMBER_MAX, expected(`must be at most ${NUMBER_MAX}`)),
        perMillion: rate,
        most: rate,
      })
      .transform(({ freeUpToUsd, ...model }) => ({ ...model, freeUpTo: roundUsd(freeUpToUsd) })),
  ],
  expected("must be of kind none or linear"),
);

const cap = capAbove0.transform(leverage);

/** Every field of an instrument; the class's defaults and its own are already merged. */
export const instrumentSchema = z.strictObject(
  {
    id: z
      .string(expected("must be upper-case letters, digits and _"))
      .regex(/^[A-Z0-9_]{1,20}$/, expected("must be upper-case letters, digits and _"))
      .transform(pairId),
    display: word,
    class: z.enum(ASSET_CLASSES, expected(`must be one of ${ASSET_CLASSES.join(", ")}`)),
    base: word,
    quote: word,
    lotSize: above0,
    gridStep: lotSteps,
    gridStepSmallAccount: lotSteps.nullable(),
    leastPosition,
    tick: above0.transform(price),
    feeRatio: rate,
    carry,
    spreadRatio: rate,
    slippage,
    leverageCaps: z.strictObject(
      { tier1: cap, tier2: cap, tier3: cap, pro: cap },
      expected("must have tier1, tier2, tier3 and pro"),
    ),
    exposureGroups: z.array(word, expected("must be a list of strings")),
    session: word,
    staleAfterMs: wholeAbove0,
    blocked: z.boolean(expected("must be true or false")),
    simulation: z
      .strictObject(
        { referencePrice: above0, annualVolatility: capAbove0 },
        expected("must have referencePrice and annualVolatility"),
      )
      .nullable()
      .default(null),
  },
  expected("must be an instrument"),
);

type InstrumentEntry = z.infer<typeof instrumentSchema>;

/** The instrument, once the catalogue has found its session. */
export function instrumentOf(entry: InstrumentEntry, session: Instrument["session"]): Instrument {
  return {
    id: entry.id,
    display: entry.display,
    assetClass: entry.class,
    base: entry.base,
    quote: entry.quote,
    lotSize: entry.lotSize,
    gridStep: entry.gridStep,
    gridStepSmallAccount: entry.gridStepSmallAccount,
    leastPosition: entry.leastPosition,
    tick: entry.tick,
    feeRatio: entry.feeRatio,
    carry: carryModel(entry.carry),
    spreadRatio: entry.spreadRatio,
    slippage: entry.slippage,
    leverageCaps: entry.leverageCaps,
    exposureGroups: entry.exposureGroups,
    session,
    staleAfterMs: entry.staleAfterMs,
    blocked: entry.blocked,
  };
}

export function simulationOf(entry: InstrumentEntry): SimulationParameters | null {
  return entry.simulation;
}

/** A year's rate is spread over 365 days, leap year or not. @rule D7.carry */
function carryModel(given: z.infer<typeof carry>): CarryModel {
  return given.kind === "daily"
    ? { kind: "daily", rate: ratio(given.yearlyRate / DAYS_PER_YEAR) }
    : given;
}
