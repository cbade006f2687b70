import type { FlattenResult } from "@propgate/contract";
import type { Instruments } from "@propgate/core";
import { z } from "zod";
import { refusalText } from "../../http/refusal-text.ts";
import { orderMessage } from "../../http/views/order-message.ts";
import { must, parseBody } from "../../json/json-fields.ts";
import { fine, type JsonReply, type RefusedReply, refused } from "../../json/json-reply.ts";
import type { OrderReceipt, Placement, TradingNetwork } from "../../network/port.ts";
import type { AccountCall, Asked } from "./account-call.ts";

export interface FlattenNeeds {
  readonly network: Pick<TradingNetwork, "placeOrder">;
  readonly instruments: Instruments;
}

const REQUEST = z.strictObject({ confirm: z.string(must("must be a text")) });

/** POST flatten: what FLAT_ALL of the API does, with the owner's name in the journal. @rule D5.flattenAll */
export function flattenCall(need: FlattenNeeds): AccountCall {
  return {
    name: "account.flatten",
    method: "POST",
    path: "/accounts/:id/flatten",
    changes: true,
    handle: (asked) => flatten(need, asked),
  };
}

async function flatten(need: FlattenNeeds, asked: Asked): Promise<JsonReply> {
  const { accountId, visitor, body } = asked;
  const request = parseBody(REQUEST, body, ({ confirm }) => confirm);
  if (!request.ok) return refused(request.problem, 400);
  if (request.value.toLowerCase() !== accountId) {
    return refused("confirm: must be the account's id", 400);
  }
  const { personId } = visitor.person;
  const command = { type: "flatten", target: "all" } as const;
  const placement = await need.network.placeOrder(accountId, command, { by: "owner", personId });
  if (!placement.ok) return notDone(placement);
  const result = flattened(placement.value, need.instruments);
  return fine(result, { subject: accountId, detail: result.message });
}

function flattened(receipt: OrderReceipt, instruments: Instruments): FlattenResult {
  const { note } = receipt;
  const message = orderMessage(receipt, instruments);
  return note?.kind === "flattened"
    ? { closed: note.closed, stayed: note.stayed, message }
    : { closed: [], stayed: [], message };
}

const UNKNOWN_FATE: RefusedReply = refused(
  "The trading network did not answer in time; positions may or may not have been closed. Look at them before you try again",
  503,
);
const NETWORK_DOWN: RefusedReply = refused(
  "The trading network is unreachable; nothing was closed",
  503,
);

function notDone(placement: Exclude<Placement, { ok: true }>): RefusedReply {
  const reply = refusalReply(placement);
  return { ...reply, about: { detail: reply.error } };
}

function refusalReply(placement: Exclude<Placement, { ok: true }>): RefusedReply {
  if ("refusal" in placement) return refused(refusalText(placement.refusal, "topLevel"));
  return placement.error === "unknownFate" ? UNKNOWN_FATE : NETWORK_DOWN;
}
