import { eventOf } from "../resources/events/event-parts.ts";
import { count, list, literal, object, string, time, word } from "../schema.ts";
import { SWITCH_ACTIONS } from "../words.ts";

const action = word(
  SWITCH_ACTIONS,
  "`cancel`: cancels all pending orders and legs. `flatten`: cancels them and closes all positions.",
);

/** The events of the dead man's switch, by type. @rule D9.eventViews D9.cancelAllAfter */
export const SWITCH_EVENTS = {
  "switch.armed": eventOf(
    "switch.armed",
    "The dead man's switch was armed, or armed again with a new deadline.",
    {
      deadlineMs: time(
        "The deadline. The switch fires at this time unless it is armed again or ended before.",
      ),
      action,
    },
  ),
  "switch.suspended": eventOf(
    "switch.suspended",
    "The switch was suspended, because an operator paused the API keys that could renew it. When the keys are resumed, the switch is armed again for `spanMs`.",
    {
      action,
      spanMs: count("The time from its next arming to the new deadline, in milliseconds."),
    },
  ),
  "switch.ended": eventOf(
    "switch.ended",
    "The switch was ended by a request. Positions that an earlier firing could not close yet stay open.",
    { status: literal("ended", "The status of the switch from this event on.") },
  ),
  "switch.fired": eventOf(
    "switch.fired",
    "The deadline has passed and the switch fired. The cancellations and fills that it causes follow this event.",
    {
      deadlineMs: time("The deadline that passed."),
      action,
      waiting: list(
        object("A position that could not be closed when the switch fired.", {
          positionUuid: string("The position's id."),
          tradePair: string("Pair identifier, such as `BTCUSD`."),
        }),
        "Positions whose market was closed or had no fresh quote. Each one closes at its first fresh quote. Always empty with the action `cancel`.",
      ),
    },
  ),
};
