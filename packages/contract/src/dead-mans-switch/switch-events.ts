import { eventOf } from "../resources/events/event-parts.ts";
import { count, list, literal, object, string, time, word } from "../schema.ts";
import { SWITCH_ACTIONS } from "../words.ts";

const action = word(
  SWITCH_ACTIONS,
  "`cancel`: cancels all orders and legs. `flatten`: also closes all positions.",
);

/** The events of the dead man's switch, by type. @rule D9.eventViews D9.cancelAllAfter */
export const SWITCH_EVENTS = {
  "switch.armed": eventOf(
    "switch.armed",
    "The dead man's switch was armed, or armed again with a new deadline.",
    { deadlineMs: time("It fires at this time unless it is armed again or ended."), action },
  ),
  "switch.suspended": eventOf(
    "switch.suspended",
    "An operator paused the keys that could renew the switch. It is armed again, with its whole span, when they are resumed.",
    { action, spanMs: count("How long it then runs, in milliseconds.") },
  ),
  "switch.ended": eventOf(
    "switch.ended",
    "The switch was ended. Positions that an earlier one still had to close stay open.",
    { status: literal("ended", "Its status from now on.") },
  ),
  "switch.fired": eventOf(
    "switch.fired",
    "The deadline has passed. Precedes the cancellations and fills that it causes.",
    {
      deadlineMs: time("The deadline."),
      action,
      waiting: list(
        object("A position that could not be closed yet.", {
          positionUuid: string("The position's id."),
          tradePair: string("Pair identifier, `BTCUSD`."),
        }),
        "Positions whose market is closed or has no fresh quote: each closes at its first fresh quote. Empty with `cancel`.",
      ),
    },
  ),
};
