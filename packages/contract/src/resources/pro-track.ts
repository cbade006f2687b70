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

const OBJECTIVE = object("An objective of the promotion to a funded pro account.", {
  key: word(OBJECTIVE_KEYS, "The kind of objective."),
  label: string("Name of the objective for display."),
  value: nullable(
    number(
      "`return` and `consistency`: a ratio, so 0.06 is 6 %. `calmar`: the Calmar ratio. `days`: a number of full trading days. Null when unknown.",
    ),
  ),
  threshold: nullable(number("The value to reach, in the unit of `value`; null when unknown.")),
  higherIsBetter: boolean(
    "True if `value` must be at least `threshold`; false if it must be at most `threshold`.",
  ),
  met: nullable(
    boolean("Whether the objective is met; null while `value` or `threshold` is unknown."),
  ),
});

/** `proTrack` of GET account. @rule S2.1.1 */
export const PRO_TRACK = object(
  "The account's progress on the pro track; null for accounts that are not on it.",
  {
    phase: word(
      PRO_PHASES,
      "`transition`: the standard account winds down until the network starts the pro account. `challenge`: the pro account works towards its objectives. `funded`: it is promoted.",
    ),
    transitionEndsAtMs: nullable(
      time("When the transition ends: the next Monday 00:00 UTC; null in other phases."),
    ),
    standardAccountSize: nullable(
      number("Size of the standard account, USD; null when the network did not report it."),
    ),
    proAccountSize: nullable(
      number("Size of the pro account, USD; null when the network did not report it."),
    ),
    hasStats: boolean(
      "False when the network sent no statistics of the pro account for this answer.",
    ),
    evaluated: boolean("True after the network has tracked the first full trading day."),
    objectives: list(OBJECTIVE, "The promotion objectives."),
    maxDrawdownPercent: ifSent(
      number(
        "Maximum drawdown since the pro account started, in percent; 0 while `hasStats` is false.",
      ),
    ),
    softBreachApplies: boolean(
      "True only for funded pro accounts, whose weekly reward a soft breach holds.",
    ),
    softBreach: ifSent(boolean("True while the reward of the current week is held.")),
  },
);
export type ProTrack<Unsent extends Linked = never> = Wire<typeof PRO_TRACK, Unsent>;
export type Objective = Wire<typeof OBJECTIVE>;
