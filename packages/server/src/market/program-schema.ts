import { z } from "zod";
import { above0, expected, wholeAbove0 } from "./data-file.ts";

/** The tiers an account can be sold; the pro track's caps come with the track. */
export const SOLD_TIERS = ["tier1", "tier2", "tier3"] as const;
export type SoldTier = (typeof SOLD_TIERS)[number];

const ofEachClass = z.strictObject(
  {
    crypto: above0,
    forex: above0,
    indices: above0,
    equities: above0,
    commodities: above0,
    allMarkets: above0,
  },
  expected("must have crypto, forex, indices, equities, commodities and allMarkets"),
);

/** Limits are compared in hundredths of a percent, so that is how fine they may be. */
const limitPct = z
  .number(expected("must be a percent above 0, to 100"))
  .gt(0, expected("must be a percent above 0, to 100"))
  .lte(100, expected("must be a percent above 0, to 100"))
  .refine(
    (pct) => Number.isInteger(Number((pct * 100).toPrecision(12))),
    expected("must have at most two decimals"),
  );

const phaseLimits = z.strictObject(
  { challenge: limitPct, funded: limitPct },
  expected("must have challenge and funded"),
);

const programSchema = z.strictObject(
  {
    id: z.string(expected("must be a name")).min(1, expected("must be a name")),
    version: wholeAbove0,
    variant: z.literal("classic", expected('must be "classic"')),
    /** Whole dollars, inclusive. */
    size: z.strictObject(
      { least: wholeAbove0, most: wholeAbove0 },
      expected("must have least and most"),
    ),
    profitTargetPct: ofEachClass,
    dailyLossPct: z.strictObject(
      {
        /** What can be chosen; the first is the usual one. */
        challenge: z.tuple([limitPct], limitPct, expected("must be a list of percents")),
        funded: limitPct,
      },
      expected("must have challenge and funded"),
    ),
    maxLossPct: z.strictObject(
      { static: phaseLimits, trailing: phaseLimits },
      expected("must have static and trailing"),
    ),
    leverageCaps: z.strictObject(
      { tier1: ofEachClass, tier2: ofEachClass, tier3: ofEachClass },
      expected("must have tier1, tier2 and tier3"),
    ),
    profitSplit: above0,
    inactivityDays: wholeAbove0,
    cooldownMs: z
      .int(expected("must be a whole number, 0 or more"))
      .gte(0, expected("must be a whole number, 0 or more")),
    mostRestingOrders: wholeAbove0,
  },
  expected("must be a program"),
);

export const programsSchema = z.strictObject(
  {
    version: z.literal(1, expected("must be 1")),
    programs: z
      .array(programSchema, expected("must be a list of programs"))
      .min(1, expected("must have at least one program")),
  },
  expected("must be a programs document"),
);

export type Program = z.infer<typeof programSchema>;
