import { pairNames } from "@propgate/core";
import { readOrderBody, refusedOrder } from "../../order-body.ts";
import { orderCommand } from "../../order-command.ts";
import { answeredJson, type Handler, type HandlerOptions, rejected } from "../handler.ts";

/** POST orders: place, edit, cancel, flatten. @rule S4.2.fields S2.6 D9.receipts */
export function placeOrder(
  options: Pick<HandlerOptions, "network" | "chance" | "instruments">,
): Handler {
  const names = { pairOf: pairNames(options.instruments), newUuid: () => options.chance.uuid() };
  return async ({ accountId, keyId, nonce, body, contentType }) => {
    const read = readOrderBody({ body, contentType });
    if (!read.ok) return read;
    const sent = read.value;
    const command = orderCommand(sent.order, names);
    const origin = { by: "key", keyId, nonce } as const;
    const placement = await options.network.placeOrder(accountId, command, origin);
    if (placement.ok) return answeredJson(placement.rendered.sent, sent.ignoredFields);
    if ("error" in placement) return rejected(placement.error);
    return { ok: false, rejection: refusedOrder(placement.refusal, sent) };
  };
}
