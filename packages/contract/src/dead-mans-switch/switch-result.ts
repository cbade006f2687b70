import { nullable, number, object, time, type Wire, word } from "../schema.ts";
import { SWITCH_ACTIONS } from "../words.ts";

/** The dead man's switch of an account while it is armed. @rule D9.cancelAllAfter */
export const ARMED_SWITCH = object("The armed dead man's switch; null while none is armed.", {
  atMs: time(
    "The deadline. The switch fires at this time unless it is armed again or ended before.",
  ),
  seconds: number("Seconds from the arming of the switch to its deadline.", { type: "integer" }),
  action: word(
    SWITCH_ACTIONS,
    "`cancel`: cancels all pending orders and legs. `flatten`: cancels them and closes all positions.",
  ),
});

/** `data` of POST cancel-all-after. @rule D9.cancelAllAfter */
export const SWITCH_RESULT = object("The dead man's switch after the request.", {
  cancelAllAfter: nullable(ARMED_SWITCH),
  processing_time: number(
    "Time from the arrival of the request at the network to the network's answer, in seconds, such as 0.004.",
  ),
});
export type SwitchResult = Wire<typeof SWITCH_RESULT>;
