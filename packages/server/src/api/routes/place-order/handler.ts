import { readOrderBody } from "@propgate/wire";
import {
  answerWithJson,
  type Handler,
  keyOrigin,
  type NetworkOptions,
  networkOf,
} from "../handler.ts";

/** POST orders: places, edits and cancels orders, and closes positions. @rule S4.2.fields S2.6 D9.receipts */
export function placeOrder(options: NetworkOptions): Handler {
  return async (input) => {
    const read = readOrderBody(input);
    if (!read.ok) return read;
    const sent = read.value;
    const network = networkOf(options, input);
    const answer = await network.placeOrder(input.accountId, sent, keyOrigin(input));
    return answer.ok
      ? answerWithJson(answer.json, { ignored: sent.ignoredFields, shown: answer.shown })
      : answer;
  };
}
