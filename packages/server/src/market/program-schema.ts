import { z } from "zod";
import { above0, capAbove0, expected, MOST, wholeAbove0 } from "./data-file.ts";

/** The tiers an account can be sold; the pro track's caps come with the track. */
export const SOLD_TIERS = ["tier1", "tier2", "tier3"] as const;
export type SoldTier = (typeof SOLD_TIERS)[number];

const ofEachClass = (amount: typeof above0) =>
  z.strictObject(
    {
      crypto: amount,
      forex: amount,
      indices: amount,
      equities: amount,
      commodities: amount,
      allMarkets: amount,
    },
    expected("must have crypto, forex, indices, equities, commodities and allMarkets"),
  );
const caps = ofEachClass(capAbove0);
const targets = ofEachClass(above0.lte(1000, expected("must be at most 1000")));
/** Times the greatest cap it is what the books can count. */
const accountSize = wholeAbove0.lte(10_000_000, expected("must be at most 10000000"));

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
    size: z
      .strictObject({ least: accountSize, most: accountSize }, expected("must have least and most"))
      .refine(({ least, most }) => least <= most, expected("must have a least up to its most")),
    profitTargetPct: targets,
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
      { tier1: caps, tier2: caps, tier3: caps },
      expected("must have tier1, tier2 and tier3"),
    ),
    profitSplit: capAbove0,
    inactivityDays: wholeAbove0.lte(100_000, expected("must be at most 100000")),
    cooldownMs: z
      .int(expected("must be a whole number, 0 or more"))
      .gte(0, expected("must be a whole number, 0 or more"))
      .lte(MOST, expected(`must be at most ${MOST}`)),
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
