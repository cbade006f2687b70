import {
  boolean,
  ifSent,
  type Linked,
  list,
  nullable,
  number,
  object,
  string,
  time,
  type Wire,
  word,
} from "../schema.ts";
import { OBJECTIVE_KEYS, PRO_PHASES } from "../words.ts";

const OBJECTIVE = object("One promotion objective.", {
  key: word(OBJECTIVE_KEYS, "The objective."),
  label: string("The objective's name for display."),
  value: nullable(
    number(
      "`return` and `consistency`: a ratio (0.06 is 6 %); `calmar`: a plain number; `days`: a count; null when unknown.",
    ),
  ),
  threshold: nullable(number("The value to reach, in the same unit; null when unknown.")),
  higherIsBetter: boolean("False if the value must stay at or below the threshold."),
  met: nullable(boolean("Whether the objective is met; null while value or threshold is unknown.")),
});

/** `proTrack` of GET account. @rule S2.1.1 */
export const PRO_TRACK = object("The pro track; null for accounts that are not on it.", {
  phase: word(
    PRO_PHASES,
    "`transition`: the standard account winds down until the network starts the pro account; then `challenge`, and `funded` once all objectives are met.",
  ),
  transitionEndsAtMs: nullable(time("The next Monday 00:00 UTC; null outside the transition.")),
  standardAccountSize: nullable(
    number("Size of the standard account, USD; null when not reported."),
  ),
  proAccountSize: nullable(number("Size of the pro account, USD; null when not reported.")),
  hasStats: boolean("False when the network sent no pro statistics on this read."),
  evaluated: boolean("True once the first full trading day has been tracked."),
  objectives: list(OBJECTIVE, "The promotion objectives."),
  maxDrawdownPercent: ifSent(
    number("All-time maximum drawdown as a percent; 0 while `hasStats` is false."),
  ),
  softBreachApplies: boolean("True only for funded pro accounts."),
  softBreach: ifSent(boolean("True while this week's reward is held.")),
});
export type ProTrack<Unsent extends Linked = never> = Wire<typeof PRO_TRACK, Unsent>;
export type Objective = Wire<typeof OBJECTIVE>;
