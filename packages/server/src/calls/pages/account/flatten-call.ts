import type { FlattenResult } from "@propgate/contract";
import type { Instruments } from "@propgate/core";
import { z } from "zod";
import { refusalText, stayReasonText } from "../../../api/refusal-text.ts";
import { orderMessage } from "../../../api/views/order-message.ts";
import type { OrderReceipt, Placement, TradingNetwork } from "../../../trading/network/port.ts";
import { must, parseBody } from "../../json/json-fields.ts";
import { fine, type JsonReply, type RefusedReply, refused } from "../../json/json-reply.ts";
import type { AccountCall, HandlerInput } from "./account-call.ts";

export interface FlattenOptions {
  readonly network: Pick<TradingNetwork, "placeOrder">;
  readonly instruments: Instruments;
}

const REQUEST = z.strictObject({ confirm: z.string(must("must be a string")) });

/** POST flatten: the API's FLAT_ALL, with the owner's name in the journal. @rule D5.flattenAll */
export function flattenCall(options: FlattenOptions): AccountCall {
  return {
    name: "account.flatten",
    method: "POST",
    path: "/accounts/:id/flatten",
    changes: true,
    handle: (input) => flatten(options, input),
  };
}

async function flatten(options: FlattenOptions, input: HandlerInput): Promise<JsonReply> {
  const { accountId, visitor, body } = input;
  const request = parseBody(REQUEST, body, ({ confirm }) => confirm);
  if (!request.ok) return refused(request.problem, 400);
  if (request.value.toLowerCase() !== accountId) {
    return refused("confirm: must be the account's id", 400);
  }
  const { personId } = visitor.person;
  const command = { type: "flatten", target: "all", pair: null } as const;
  const placement = await options.network.placeOrder(accountId, command, { by: "owner", personId });
  if (!placement.ok) return notDone(placement);
  const result = flattened(placement.value, options.instruments);
  return fine(result, { subject: accountId, detail: result.message });
}

function flattened(receipt: OrderReceipt, instruments: Instruments): FlattenResult {
  const { note } = receipt;
  const message = orderMessage(receipt, instruments);
  if (note?.kind !== "flattened") return { closed: [], stayed: [], message };
  const stayed = note.stayed.map(({ pair, why }) => ({ pair, why: stayReasonText(why) }));
  return { closed: note.closed, stayed, message };
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
