import { parseCancelAllAfter } from "@propgate/contract";
import type { CancelAllAfter } from "@propgate/core";
import { answerJson, placementRejection, readJsonBody } from "@propgate/wire";
import {
  answerWithJson,
  type Handler,
  type HandlerOptions,
  keyOrigin,
  rejectWith,
} from "../handler.ts";

const MS_PER_SECOND = 1_000;

/** POST cancel-all-after: arms the dead man's switch, or ends it. @rule D9.cancelAllAfter */
export function cancelAllAfter({
  embedded,
  instruments,
}: Pick<HandlerOptions, "embedded" | "instruments">): Handler {
  return async (input) => {
    const body = readJsonBody(input);
    if (!body.ok) return body;
    const parsed = parseCancelAllAfter(body.value);
    if (!parsed.ok) return rejectWith("invalidBody", parsed.message);
    const { seconds, action } = parsed.fields;
    const command: CancelAllAfter = {
      type: "cancelAllAfter",
      afterMs: seconds === null ? null : seconds * MS_PER_SECOND,
      action,
    };
    const placement = await embedded.carryOut(input.accountId, command, keyOrigin(input));
    if (!placement.ok) return { ok: false, rejection: placementRejection(placement) };
    const { receipt, shown } = placement;
    const json = answerJson(receipt, instruments);
    return answerWithJson(json, { ignored: parsed.ignoredFields, shown });
  };
}
