import { type JsonObject, parsePlaceOrder } from "@propgate/contract";
import type { Placement } from "../../../network/port.ts";
import { orderCommand } from "../../order-command.ts";
import { refusalText } from "../../refusal-text.ts";
import { orderResultView } from "../../views/order-result.ts";
import { answered, type Handler, type HandlerNeeds, type Outcome, rejected } from "../handler.ts";

const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** POST orders: place, edit, cancel, flatten. @rule S4.2.fields S2.6 */
export const placeOrder =
  (need: Pick<HandlerNeeds, "network" | "instruments" | "chance">): Handler =>
  async ({ accountId, keyId, nonce, body, contentType }) => {
    if (!JSON_TYPE.test(contentType ?? ""))
      return rejected("invalidBody", "Content-Type must be application/json");
    const json = body.json();
    if (!json.ok) return rejected("invalidBody", json.problem);
    const parsed = parsePlaceOrder(json.value);
    if (!parsed.ok) return rejected(parsed.error, parsed.message);
    const command = orderCommand(parsed.order, () => need.chance.uuid());
    const placement = await need.network.placeOrder(accountId, command, {
      by: "key",
      keyId,
      nonce,
    });
    return placement.ok
      ? answered(orderResultView(placement.value, need.instruments), parsed.ignoredFields)
      : notPlaced(placement, json.value);
  };

function notPlaced(placement: Exclude<Placement, { ok: true }>, body: JsonObject): Outcome {
  if ("error" in placement) return rejected(placement.error);
  const { refusal } = placement;
  return refusal.code === "accountNotReady"
    ? rejected("accountNotReady")
    : rejected("orderRefused", refusalText(refusal, legsOf(body)));
}

function legsOf({ trade }: JsonObject): "listed" | "topLevel" {
  const isListed = typeof trade === "object" && trade !== null && "bracket_orders" in trade;
  return isListed ? "listed" : "topLevel";
}
