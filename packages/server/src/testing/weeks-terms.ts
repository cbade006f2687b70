/** The terms of the accounts in the test of many weeks, as the model names them. Money is in whole 0.000001 USD. */

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
  /** The maximum loss in the challenge, in percent; `fundedMaxPct` is the one after the challenge. */
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
