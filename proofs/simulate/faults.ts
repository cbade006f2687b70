import type { RandomDraw } from "./random-draw.ts";
import type { NodeLife, StepKind, StepOutcome } from "./shared-database.ts";

/** The kinds of faults, as `--faults` names them. */
export const FAULT_KINDS = [
  "crash",
  "storage",
  "network",
  "clock",
  "prices",
  "bus",
  "pause",
  "repeats",
  "forged",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Parses `none`, `all` or kinds that commas separate; null for any other text. */
export function parseFaultKinds(text: string): readonly FaultKind[] | null {
  if (text === "all") return FAULT_KINDS;
  if (text === "none") return [];
  const words = text.split(",");
  const kinds = FAULT_KINDS.filter((kind) => words.includes(kind));
  return kinds.length === new Set(words).size ? kinds : null;
}

/**
 * The drawn outcome of a database step. Besides the values of `StepOutcome`, the step may be slow, or its node may die
 * before it.
 */
export type DrawnStepOutcome = StepOutcome | "diesBefore" | "slow";

/** Draws which faults of a run happen, and counts them. */
export interface Faults {
  /** True while no fault may happen, as at the beginning of a run. */
  lifted: boolean;
  /**
   * True with this probability times the run's intensity of the kind. Counts the fault under `name` when it is true.
   */
  strikes(kind: FaultKind, name: string, probability: number): boolean;
  stepOutcome(step: { readonly kind: StepKind; readonly life: NodeLife }): DrawnStepOutcome;
  /** Counts a fault that the run itself has made. */
  count(name: string): void;
  /** The number of faults by name. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * The intensities of a kind of faults, of which each run draws one. Some bugs show only while everything else works.
 */
const INTENSITIES = [0, 0.3, 1, 1, 3] as const;
const STORAGE_RATE = 0.006;
const CRASH_RATE = 0.001;
const OUTAGE_RATE = 0.0004;
const OUTAGE_STEPS = 60;

const STORAGE_OUTCOMES = {
  failsBefore: 3,
  failsAfter: 3,
  rolledBack: 2,
  hangs: 0.4,
  slow: 2,
} as const;
const CRASH_OUTCOMES = { diesBefore: 1, diesAfter: 1 } as const;

export function createFaults(draw: RandomDraw, kinds: readonly FaultKind[]): Faults {
  const counts: Record<string, number> = {};
  const intensity = new Map<FaultKind, number>();
  for (const kind of FAULT_KINDS) {
    const drawn = draw.pick(INTENSITIES);
    intensity.set(kind, kinds.includes(kind) ? drawn : 0);
  }
  let outage = 0;
  const count = (name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const drawStorageOutcome = (kind: StepKind): DrawnStepOutcome => {
    if (!draw.chance(STORAGE_RATE * (intensity.get("storage") ?? 0))) return "done";
    const drawn = draw.weighted(STORAGE_OUTCOMES);
    const outcome = kind === "begin" && drawn !== "hangs" ? "failsBefore" : drawn;
    count(`storage.${outcome}`);
    return outcome;
  };
  const faults: Faults = {
    lifted: true,
    counts,
    count,
    strikes(kind, name, probability) {
      if (faults.lifted || !draw.chance(probability * (intensity.get(kind) ?? 0))) return false;
      count(name);
      return true;
    },
    stepOutcome({ kind }) {
      if (faults.lifted) {
        outage = 0;
        return "done";
      }
      // The database rolls back by itself when a connection is gone.
      if (kind === "rollback") return "done";
      if (faults.strikes("crash", "crash.database", CRASH_RATE)) return crashOutcome(draw, kind);
      if (faults.strikes("storage", "storage.outage", OUTAGE_RATE))
        outage = 1 + draw.below(OUTAGE_STEPS);
      if (outage === 0) return drawStorageOutcome(kind);
      outage -= 1;
      return "failsBefore";
    },
  };
  return faults;
}

function crashOutcome(draw: RandomDraw, kind: StepKind): DrawnStepOutcome {
  return kind === "begin" ? "diesBefore" : draw.weighted(CRASH_OUTCOMES);
}
