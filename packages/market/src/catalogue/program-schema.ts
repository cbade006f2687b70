import { z } from "zod";
import {
  AMOUNT_MAX,
  AMOUNT_MIN,
  capSchema,
  positiveAmountSchema,
  positiveWholeSchema,
  schemaErrorTexts,
  shareSchema,
} from "./data-file.ts";

/** The tiers with which an account can be sold. The tier `pro` is missing, because only pro accounts have it. */
export const SOLD_TIERS = ["tier1", "tier2", "tier3"] as const;
export type SoldTier = (typeof SOLD_TIERS)[number];

/** The kinds of exposure groups: the words before the colon in the catalogue's groups, such as `currency:EUR`. */
const GROUP_KINDS = ["currency", "sector", "index"] as const;

const ofEachClass = (amount: typeof positiveAmountSchema) =>
  z.strictObject(
    {
      crypto: amount,
      forex: amount,
      indices: amount,
      equities: amount,
      commodities: amount,
      allMarkets: amount,
    },
    schemaErrorTexts("must have crypto, forex, indices, equities, commodities and allMarkets"),
  );
const caps = ofEachClass(capSchema);
const targets = ofEachClass(
  positiveAmountSchema.lte(1000, schemaErrorTexts("must be at most 1000")),
);
/** An account size in whole dollars. The bound keeps sums exact at the greatest leverage cap. */
const accountSize = positiveWholeSchema.lte(
  10_000_000,
  schemaErrorTexts("must be at most 10000000"),
);
const days = positiveWholeSchema.lte(100_000, schemaErrorTexts("must be at most 100000"));
/** A threshold of an objective. The bound keeps statistics exact, which have nine decimals. */
const objective = positiveAmountSchema.lte(1000, schemaErrorTexts("must be at most 1000"));

const WHOLE_SHARE = "must be a share above 0 and at most 2, such as 0.8 for 80 %";

/**
 * A share of a whole, where 1 is 100 %. It may exceed 1, as a profit split above 100 % does. The bound refuses a value
 * in percent, such as 80.
 */
const wholeShare = z
  .number(schemaErrorTexts(WHOLE_SHARE))
  .gte(AMOUNT_MIN, schemaErrorTexts(WHOLE_SHARE))
  .lte(2, schemaErrorTexts(WHOLE_SHARE));

const SCALE_TO_2 =
  "must be a number above 0 and at most 2: the pro size is at least twice the standard size, " +
  "so a payout is never scaled up";

/** A loss limit in percent. Limits are compared in hundredths of a percent, so it has at most two decimals. */
const limitPct = z
  .number(schemaErrorTexts("must be a percent above 0, to 100"))
  .gt(0, schemaErrorTexts("must be a percent above 0, to 100"))
  .lte(100, schemaErrorTexts("must be a percent above 0, to 100"))
  .refine(
    (pct) => Number.isInteger(Number((pct * 100).toPrecision(12))),
    schemaErrorTexts("must have at most two decimals"),
  );

/** A loss limit in percent, or `chosen` for the limit with which the account was sold. @rule D10.dailyOption */
const limitPctOrChosen = z.union(
  [limitPct, z.literal("chosen")],
  schemaErrorTexts('must be a percent above 0, to 100, with at most two decimals, or "chosen"'),
);

const phaseLimits = z.strictObject(
  { challenge: limitPct, funded: limitPct },
  schemaErrorTexts("must have challenge and funded"),
);

const NEAR_LEVELS = "must be up to 10 whole percents from 1 to 99, ascending";

/**
 * The percents of a loss limit at which its use is recorded. Without the list the levels 50, 75 and 90 apply; an empty
 * list records none.
 */
const nearLevels = z
  .array(
    z
      .int(schemaErrorTexts(NEAR_LEVELS))
      .gte(1, schemaErrorTexts(NEAR_LEVELS))
      .lte(99, schemaErrorTexts(NEAR_LEVELS)),
  )
  .max(10, schemaErrorTexts(NEAR_LEVELS))
  .refine(
    (levels) => levels.every((level, at) => at === 0 || level > (levels[at - 1] ?? 0)),
    schemaErrorTexts(NEAR_LEVELS),
  );

/** The fields that programs of both variants have. */
const EVERY_PROGRAM = {
  /** The name of the program in paths and tables. */
  id: z
    .string(schemaErrorTexts("must be a name of letters, digits, - and _"))
    .regex(/^[A-Za-z0-9_-]{1,40}$/, schemaErrorTexts("must be a name of letters, digits, - and _")),
  version: positiveWholeSchema,
  /** The smallest and the largest size that is sold, in whole dollars. */
  size: z
    .strictObject(
      { least: accountSize, most: accountSize },
      schemaErrorTexts("must have least and most"),
    )
    .refine(
      (size) => size.least <= size.most,
      schemaErrorTexts("must have a least that is at most its most"),
    ),
  /**
   * The maximum of an owner's accounts when one of this program is opened; without it the installation's maximum
   * applies. @rule D13.accountLimit
   */
  accountsPerOwner: positiveWholeSchema.optional(),
  /** The trader's part of the profit: 0.8 is 80 %, 1.1 is 110 %. */
  profitSplit: wholeShare,
  inactivityDays: days,
  cooldownMs: z
    .int(schemaErrorTexts("must be a whole number, 0 or more"))
    .gte(0, schemaErrorTexts("must be a whole number, 0 or more"))
    .lte(AMOUNT_MAX, schemaErrorTexts(`must be at most ${AMOUNT_MAX}`)),
  mostRestingOrders: positiveWholeSchema,
  nearLevels: nearLevels.optional(),
} as const;

const classicSchema = z.strictObject(
  {
    ...EVERY_PROGRAM,
    variant: z.literal("classic"),
    profitTargetPct: targets,
    dailyLossPct: z.strictObject(
      {
        /** The daily loss limits that a buyer can choose. The first is the default. */
        challenge: z.tuple([limitPct], limitPct, schemaErrorTexts("must be a list of percents")),
        funded: limitPctOrChosen,
      },
      schemaErrorTexts("must have challenge and funded"),
    ),
    maxLossPct: z.strictObject(
      { static: phaseLimits, trailing: phaseLimits },
      schemaErrorTexts("must have static and trailing"),
    ),
    leverageCaps: z.strictObject(
      { tier1: caps, tier2: caps, tier3: caps },
      schemaErrorTexts("must have tier1, tier2 and tier3"),
    ),
  },
  schemaErrorTexts("must be a program"),
);

const proSchema = z.strictObject(
  {
    ...EVERY_PROGRAM,
    variant: z.literal("pro"),
    dailyLossPct: z.strictObject(
      { challenge: limitPctOrChosen, funded: limitPct },
      schemaErrorTexts("must have challenge and funded"),
    ),
    maxLossPct: phaseLimits,
    /** The leverage cap of each class; `allMarkets` is the cap of the portfolio. */
    leverageCaps: caps,
    /** The leverage cap of each kind of exposure group. A kind that is missing has no cap. */
    groupCaps: z.partialRecord(
      z.enum(GROUP_KINDS, schemaErrorTexts(`must be one of ${GROUP_KINDS.join(", ")}`)),
      capSchema,
      schemaErrorTexts(`must be caps of ${GROUP_KINDS.join(", ")}`),
    ),
    objectives: z.strictObject(
      {
        /** The return to reach, as a share of the size: 0.08 is 8 %. */
        return: wholeShare,
        calmar: objective,
        consistency: shareSchema.gt(0, schemaErrorTexts("must be a share above 0, below 1")),
        tradingDays: days,
        countedDayGain: shareSchema.gt(0, schemaErrorTexts("must be a share above 0, below 1")),
        leastDrawdown: shareSchema.gt(0, schemaErrorTexts("must be a share above 0, below 1")),
      },
      schemaErrorTexts(
        "must have return, calmar, consistency, tradingDays, countedDayGain and leastDrawdown",
      ),
    ),
    /** The payouts of a funded trader's pro challenge are scaled by this factor times standard size over pro size. */
    scaleFromStandard: positiveAmountSchema.lte(2, schemaErrorTexts(SCALE_TO_2)),
  },
  schemaErrorTexts("must be a program"),
);

/** The schema of one version of a program, classic or pro. */
export const programSchema = z.discriminatedUnion(
  "variant",
  [classicSchema, proSchema],
  schemaErrorTexts("must be a program", 'must be "classic" or "pro"'),
);

/** The schema of a programs file: a list of program versions. */
export const programsSchema = z.strictObject(
  {
    version: z.literal(1, schemaErrorTexts("must be 1")),
    programs: z
      .array(programSchema, schemaErrorTexts("must be a list of programs"))
      .min(1, schemaErrorTexts("must have at least one program")),
  },
  schemaErrorTexts("must be a programs document"),
);

export type ClassicProgram = z.infer<typeof classicSchema>;
export type ProProgram = z.infer<typeof proSchema>;
/** One version of a program. */
export type Program = ClassicProgram | ProProgram;
