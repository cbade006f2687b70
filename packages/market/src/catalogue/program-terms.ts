/** Makes the terms of an account from the newest version of its program. */
import {
  type AccountClass,
  type AssetClass,
  type DrawdownCriteria,
  dollars,
  type Leverage,
  type LeverageTier,
  leverage,
  type MicroUsd,
  minProSize,
  ok,
  type Percent,
  type PhaseTerms,
  type ProTerms,
  percent,
  type Result,
  ratio,
  refuse,
  roundUsd,
  type Terms,
} from "@propgate/core";
import {
  type ClassicProgram,
  type Program,
  type ProProgram,
  SOLD_TIERS,
  type SoldTier,
} from "./program-schema.ts";
import { newestVersionOf, type Programs } from "./programs.ts";

/** The choices for a new account from which its terms are made, such as its program and its size. */
export interface TermsRequest {
  /** The id of the program; null for the default classic program, `classic`. */
  readonly program: string | null;
  readonly size: MicroUsd;
  readonly assetClass: AccountClass;
  readonly criteria: DrawdownCriteria;
  /** The chosen daily loss limit in percent; null for the program's default. */
  readonly dailyLossPct: number | null;
  readonly tier: LeverageTier;
}

/** The choices for a new pro account, and the terms of its standard account on which the new terms depend. */
export interface ProTermsRequest {
  /** The id of the program; null for the default pro program, `pro`. */
  readonly program: string | null;
  readonly size: MicroUsd;
  readonly standardSize: MicroUsd;
  /** The daily loss limit with which the standard account was sold. */
  readonly dailyLossPct: Percent;
}

/** The field with a value that is not offered, and the offered values in words. */
export interface TermsRefusal<Field> {
  readonly field: Field;
  readonly text: string;
}

const USUAL_CLASSIC = "classic";
const USUAL_PRO = "pro";
const DAY_MS = 86_400_000;
/** The levels, in percent of a loss limit, of a program that lists none. @rule D9.limitNeared */
const USUAL_NEAR_LEVELS: readonly number[] = [50, 75, 90];

/** The terms of one account, or a refusal of the first field whose value is not offered. @rule D7.terms */
export function termsFor(
  programs: Programs,
  request: TermsRequest,
): Result<Terms, TermsRefusal<keyof TermsRequest>> {
  const program = newestVersionOf(programs, request.program ?? USUAL_CLASSIC);
  if (program?.variant !== "classic") return noProgramRefusal(programs, "classic");
  const sizeText = sizeProblem(program, request.size);
  if (sizeText !== null) return refuse({ field: "size", text: sizeText });
  const dailyLossPct = request.dailyLossPct ?? program.dailyLossPct.challenge[0];
  if (!program.dailyLossPct.challenge.includes(dailyLossPct)) {
    const offered = program.dailyLossPct.challenge.join(" or ");
    return refuse({ field: "dailyLossPct", text: `must be ${offered}` });
  }
  const tier = SOLD_TIERS.find((name) => name === request.tier);
  if (tier === undefined) {
    return refuse({ field: "tier", text: `must be one of ${SOLD_TIERS.join(", ")}` });
  }
  return ok(termsOf(program, { ...request, dailyLossPct, tier }));
}

/**
 * The program and size to offer by default: the program `classic`, or the first classic program when `classic` is not
 * sold, and the size of that program that is nearest to `size`. Null when no classic program is sold.
 */
export function defaultOffer(
  programs: Programs,
  size: MicroUsd,
): Pick<TermsRequest, "program" | "size"> | null {
  const sold = programs.filter(({ variant }) => variant === "classic");
  const id = sold.some((one) => one.id === USUAL_CLASSIC) ? USUAL_CLASSIC : sold[0]?.id;
  const program = id === undefined ? null : newestVersionOf(programs, id);
  if (program === null) return null;
  const usd = Math.min(Math.max(dollars(size), program.size.least), program.size.most);
  return { program: program.id, size: roundUsd(usd) };
}

/**
 * The terms of one pro account, or a refusal of the first field whose value is not offered. The payout of a funded
 * trader's pro challenge is scaled by the program's factor times standard size over pro size. @rule D7.terms D7.scale
 */
export function proTermsFor(
  programs: Programs,
  request: ProTermsRequest,
): Result<ProTerms, TermsRefusal<"program" | "size">> {
  const program = newestVersionOf(programs, request.program ?? USUAL_PRO);
  if (program?.variant !== "pro") return noProgramRefusal(programs, "pro");
  const sizeText = sizeProblem(program, request.size);
  if (sizeText !== null) return refuse({ field: "size", text: sizeText });
  // The network's command `offerPro` refuses a smaller size too, but only this refusal names the field.
  // @rule D10.proOffer
  const sizeMin = minProSize(request.standardSize);
  if (request.size < sizeMin) {
    const text = `must be at least ${dollars(sizeMin)}, twice the standard size, not ${dollars(request.size)}`;
    return refuse({ field: "size", text });
  }
  return ok(proTermsOf(program, request));
}

function noProgramRefusal(programs: Programs, variant: Program["variant"]) {
  const ids = programs.filter((one) => one.variant === variant).map(({ id }) => id);
  const text =
    ids.length === 0
      ? `is not offered: there is no ${variant} program`
      : `must be one of ${[...new Set(ids)].join(", ")}`;
  return refuse({ field: "program", text } as const);
}

function sizeProblem({ size: range }: Program, size: MicroUsd): string | null {
  const usd = dollars(size);
  if (Number.isInteger(usd) && usd >= range.least && usd <= range.most) return null;
  return `must be whole dollars from ${range.least} to ${range.most}, not ${usd}`;
}

interface Sold extends TermsRequest {
  readonly dailyLossPct: number;
  readonly tier: SoldTier;
}

function termsOf(program: ClassicProgram, sold: Sold): Terms {
  const maxLossPct = program.maxLossPct[sold.criteria];
  const caps = program.leverageCaps[sold.tier];
  return {
    ...sharedTerms(program),
    variant: program.variant,
    assetClass: sold.assetClass,
    size: sold.size,
    criteria: sold.criteria,
    tier: sold.tier,
    challenge: {
      profitTargetPct: percent(program.profitTargetPct[sold.assetClass]),
      dailyLossPct: percent(sold.dailyLossPct),
      maxLossPct: percent(maxLossPct.challenge),
    },
    funded: fundedTerms(
      chosenDailyLossPct(program.dailyLossPct.funded, sold.dailyLossPct),
      maxLossPct.funded,
    ),
    classCaps: classCaps(caps),
    // The portfolio of an account of one class has the cap of that class.
    portfolioCap: leverage(caps[sold.assetClass]),
    // Only pro accounts have caps on exposure groups.
    groupCaps: {},
  };
}

function proTermsOf(program: ProProgram, request: ProTermsRequest): ProTerms {
  const { size, standardSize } = request;
  const { dailyLossPct, maxLossPct, leverageCaps: caps, objectives } = program;
  return {
    ...sharedTerms(program),
    variant: program.variant,
    // The pro track trades all markets, even when the standard account was of one class.
    assetClass: "allMarkets",
    size,
    criteria: "trailing",
    tier: "pro",
    challenge: {
      profitTargetPct: percent(percentOf(objectives.return)),
      dailyLossPct: percent(chosenDailyLossPct(dailyLossPct.challenge, request.dailyLossPct)),
      maxLossPct: percent(maxLossPct.challenge),
    },
    funded: fundedTerms(dailyLossPct.funded, maxLossPct.funded),
    classCaps: classCaps(caps),
    portfolioCap: leverage(caps.allMarkets),
    groupCaps: groupCaps(program),
    objectives: {
      returnRatio: ratio(objectives.return),
      calmar: ratio(objectives.calmar),
      consistency: ratio(objectives.consistency),
      tradingDays: objectives.tradingDays,
      countedDayGain: ratio(objectives.countedDayGain),
      leastDrawdown: ratio(objectives.leastDrawdown),
    },
    // The program's factor (2) × standard size / pro size. @rule D7.scale decides
    challengePayoutScale: ratio((program.scaleFromStandard * standardSize) / size),
  };
}

/** The terms that accounts of both variants have. */
function sharedTerms(program: Program) {
  return {
    programId: program.id,
    programVersion: program.version,
    profitSplit: ratio(program.profitSplit),
    inactivityMs: program.inactivityDays * DAY_MS,
    cooldownMs: program.cooldownMs,
    mostRestingOrders: program.mostRestingOrders,
    nearLevels: (program.nearLevels ?? USUAL_NEAR_LEVELS).map(percent),
  };
}

/**
 * The daily loss limit of a phase: the program's own, or the one with which the account was sold when the program has
 * `chosen`. The phase of a funded pro account cannot have `chosen`. @rule D10.dailyOption decides
 */
function chosenDailyLossPct(limitPct: number | "chosen", chosenPct: number): number {
  return limitPct === "chosen" ? chosenPct : limitPct;
}

function fundedTerms(dailyLossPct: number, maxLossPct: number): PhaseTerms {
  return {
    profitTargetPct: null,
    dailyLossPct: percent(dailyLossPct),
    maxLossPct: percent(maxLossPct),
  };
}

function classCaps(caps: Readonly<Record<AssetClass, number>>): Terms["classCaps"] {
  return {
    crypto: leverage(caps.crypto),
    forex: leverage(caps.forex),
    indices: leverage(caps.indices),
    equities: leverage(caps.equities),
    commodities: leverage(caps.commodities),
  };
}

function groupCaps({ groupCaps: caps }: ProProgram): Readonly<Record<string, Leverage>> {
  const entries = Object.entries(caps).map(([kind, cap]) => [kind, leverage(cap)] as const);
  return Object.fromEntries(entries);
}

/** A share in percent, rounded so that 0.07 is 7 and not 7.000000000000001. */
function percentOf(share: number): number {
  return Number((share * 100).toPrecision(12));
}
