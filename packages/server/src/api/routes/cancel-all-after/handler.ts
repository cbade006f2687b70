import { parseCancelAllAfter } from "@propgate/contract";
import type { CancelAllAfter } from "@propgate/core";
import { answerJson, jsonBody, refusedCommand } from "@propgate/wire";
import { answeredJson, type Handler, type HandlerOptions, rejected } from "../handler.ts";

const MS_PER_SECOND = 1_000;

/** POST cancel-all-after: arms the dead man's switch, or ends it. @rule D9.cancelAllAfter */
export function cancelAllAfter({
  embedded,
  instruments,
}: Pick<HandlerOptions, "embedded" | "instruments">): Handler {
  return async (input) => {
    const body = jsonBody(input);
    if (!body.ok) return body;
    const parsed = parseCancelAllAfter(body.value);
    if (!parsed.ok) return rejected("invalidBody", parsed.message);
    const { seconds, action } = parsed.fields;
    const command: CancelAllAfter = {
      type: "cancelAllAfter",
      afterMs: seconds === null ? null : seconds * MS_PER_SECOND,
      action,
    };
    const { accountId, keyId, nonce, admittedAtMs, trace } = input;
    const origin = { by: "key", keyId, nonce, admittedAtMs, trace } as const;
    const placement = await embedded.placeOrder(accountId, command, origin);
    if (!placement.ok) {
      const rejection =
        "error" in placement ? { error: placement.error } : refusedCommand(placement.refusal);
      return { ok: false, rejection };
    }
    const { receipt, shown } = placement;
    const json = answerJson(receipt, instruments);
    return answeredJson(json, { ignored: parsed.ignoredFields, shown });
  };
}
