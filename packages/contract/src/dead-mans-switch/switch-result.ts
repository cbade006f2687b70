import { nullable, number, object, time, type Wire, word } from "../schema.ts";
import { SWITCH_ACTIONS } from "../words.ts";

/** The dead man's switch of an account while it is armed. @rule D9.cancelAllAfter */
export const ARMED_SWITCH = object("The armed dead man's switch.", {
  atMs: time("The deadline: it fires at this time unless it is armed again or ended."),
  seconds: number("Seconds from its arming to the deadline, such as 60.", { type: "integer" }),
  action: word(
    SWITCH_ACTIONS,
    "`cancel`: cancels all orders and legs. `flatten`: also closes all positions.",
  ),
});

/** `data` of POST cancel-all-after. @rule D9.cancelAllAfter */
export const SWITCH_RESULT = object("The dead man's switch after the request.", {
  cancelAllAfter: nullable(ARMED_SWITCH),
  processing_time: number(
    "Seconds between the request's arrival at the network and the network's answer, such as 0.004.",
  ),
});
export type SwitchResult = Wire<typeof SWITCH_RESULT>;
