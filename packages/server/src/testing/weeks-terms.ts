/** The terms of the accounts of the weeks, in the model's own words. Money is in whole 0.000001 USD. */

export type ModelPhase =
  | "challenge"
  | "funded"
  | "proTransition"
  | "proChallengeDirect"
  | "proChallengeFromStandard"
  | "proFunded";

export interface ModelTerms {
  readonly size: number;
  readonly targetPct: number;
  readonly dailyPct: number;
  /** The second loss limit in the challenge; `fundedMaxPct` is the one after it. */
  readonly challengeMaxPct: number;
  readonly fundedMaxPct: number;
  readonly isStatic: boolean;
  readonly split: number;
  readonly idleMs: number;
}

export interface ModelProTerms {
  readonly size: number;
  readonly dailyPct: number;
  readonly fundedDailyPct: number;
  readonly maxPct: number;
  readonly split: number;
  readonly scale: number;
  readonly objectives: {
    readonly returned: number;
    readonly calmar: number;
    readonly consistency: number;
    readonly days: number;
    readonly countedGain: number;
    readonly leastDrawdown: number;
  };
}
