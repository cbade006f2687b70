/**
 * The programs that accounts are sold under, as data. A version never changes once an account has
 * been sold on it; a firm that wants other terms adds a version.
 */
import {
  type AccountClass,
  type DrawdownCriteria,
  dollars,
  type LeverageTier,
  leverage,
  type MicroUsd,
  ok,
  percent,
  type Result,
  ratio,
  refuse,
  type Terms,
} from "@propgate/core";
import { ownDataFile, parseDocument, problemAt, readDataFile } from "./data-file.ts";
import { type Program, programsSchema, SOLD_TIERS, type SoldTier } from "./program-schema.ts";

/** Every version of every program, newest version last. */
export type Programs = readonly Program[];

/** What an account is to be sold. */
export interface TermsRequest {
  readonly program: string;
  readonly size: MicroUsd;
  readonly assetClass: AccountClass;
  readonly criteria: DrawdownCriteria;
  /** Null: the program's usual one. */
  readonly dailyLossPct: number | null;
  readonly tier: LeverageTier;
}

/** Which field of the request the program does not offer, and what it offers instead. */
export interface TermsRefusal {
  readonly field: keyof TermsRequest;
  readonly text: string;
}

const DAY_MS = 86_400_000;

/** Null: the programs that come with the service. @throws MarketDataError */
export async function loadPrograms(path: string | null): Promise<Programs> {
  const file = path ?? ownDataFile("programs.json");
  return parsePrograms(await readDataFile(file), file);
}

/** `file` names the text in messages. @throws MarketDataError with the first wrong value's path. */
export function parsePrograms(text: string, file: string): Programs {
  const { programs } = parseDocument(text, file, programsSchema);
  const seen = new Set<string>();
  for (const [index, { id, version }] of programs.entries()) {
    const name = `${id} version ${version}`;
    if (seen.has(name)) {
      throw problemAt(file, { path: ["programs", index], text: `is there twice: ${name}` });
    }
    seen.add(name);
  }
  return [...programs].sort((one, other) => one.version - other.version);
}

/** The newest version's terms for one account, or the first field it does not offer. @rule D7.terms */
export function termsFor(programs: Programs, request: TermsRequest): Result<Terms, TermsRefusal> {
  const program = programs.findLast(({ id }) => id === request.program);
  if (program === undefined) {
    const names = [...new Set(programs.map(({ id }) => id))].join(", ");
    return refuse({ field: "program", text: `must be one of ${names}` });
  }
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

interface Sold extends TermsRequest {
  readonly dailyLossPct: number;
  readonly tier: SoldTier;
}

function termsOf(program: Program, sold: Sold): Terms {
  const maxLossPct = program.maxLossPct[sold.criteria];
  const caps = program.leverageCaps[sold.tier];
  return {
    programId: program.id,
    programVersion: program.version,
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
    funded: {
      profitTargetPct: null,
      dailyLossPct: percent(program.dailyLossPct.funded),
      maxLossPct: percent(maxLossPct.funded),
    },
    classCaps: {
      crypto: leverage(caps.crypto),
      forex: leverage(caps.forex),
      indices: leverage(caps.indices),
      equities: leverage(caps.equities),
      commodities: leverage(caps.commodities),
    },
    // An account of one class has that class's cap for all it holds.
    portfolioCap: leverage(caps[sold.assetClass]),
    // Exposure groups bind on the pro track only.
    groupCaps: {},
    profitSplit: ratio(program.profitSplit),
    inactivityMs: program.inactivityDays * DAY_MS,
    cooldownMs: program.cooldownMs,
    mostRestingOrders: program.mostRestingOrders,
  };
}

function sizeProblem({ size: { least, most } }: Program, size: MicroUsd): string | null {
  const usd = dollars(size);
  if (Number.isInteger(usd) && usd >= least && usd <= most) return null;
  return `must be whole dollars from ${least} to ${most}, not ${usd}`;
}
