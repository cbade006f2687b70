import {
  type NetworkState,
  ORDER_SRC,
  type Subaccount,
  type Submission,
} from "../network/state.ts";
import type { AcceptedOrder, OrderContentCount } from "./control.ts";

const FILLED: readonly number[] = [
  ORDER_SRC.limitFilled,
  ORDER_SRC.bracketFilled,
  ORDER_SRC.stopLimitFilled,
];

/** Every accepted order call with the present state of its order, oldest first. */
export function acceptedOrders(state: NetworkState): readonly AcceptedOrder[] {
  return state.submissions
    .filter(({ isAccepted }) => isAccepted)
    .map((one) => ({ ...one, state: stateOf(state.subaccounts[one.hotkey], one) }));
}

function stateOf(
  account: Subaccount | undefined,
  { uuid, executionType }: Submission,
): AcceptedOrder["state"] {
  if (/CANCEL|EDIT|FLAT_ALL/.test(executionType)) return "done";
  if (account === undefined) return "nothing";
  const isFilled = account.positions.some(({ orders }) => orders.some((one) => one.uuid === uuid));
  if (isFilled) return "filled";
  if (account.resting.some((one) => one.uuid === uuid)) return "resting";
  const ended = account.ended.find((one) => one.uuid === uuid);
  if (ended === undefined) return "nothing";
  return FILLED.includes(ended.src) ? "filled" : "cancelled";
}

/** The order calls of each subaccount by content, in the order of each content's first call. */
export function orderCallsByContent(state: NetworkState): readonly OrderContentCount[] {
  const groups = Map.groupBy(state.submissions, ({ hotkey, content }) => `${hotkey} ${content}`);
  return [...groups.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const accepted = all.filter(({ isAccepted }) => isAccepted).length;
    const { hotkey, content } = first;
    return [{ hotkey, content, accepted, refused: all.length - accepted }];
  });
}
