import type { EventData, EventOrder, EventsPage, EventType, Linked } from "@propgate/contract";
import { decimalText, shortId } from "../../render/figures.ts";
import { differenceNote } from "./fills.ts";

export type Event = EventsPage<Linked>["items"][number];

/** The figures of an event in a few words; empty for a type that `DETAILS` does not have. */
export function detailOf({ type, data }: Event): string {
  const { [type]: detail } = DETAILS as Readonly<Record<string, (data: never) => string>>;
  return detail === undefined ? "" : detail(data as never);
}

/**
 * How the figures of each type of event are written. For a type that is missing here no figures are printed; `--json`
 * prints all fields.
 */
const DETAILS: {
  readonly [Type in EventType]?: (data: EventData<Type, Linked>) => string;
} = {
  "order.filled": ({ direction, quantity, tradePair, price, ...fill }) =>
    `${direction ?? "?"} ${decimalText(quantity)} ${tradePair} at ${decimalText(price)}${differenceNote(fill)}`,
  "order.resting": ({ order }) => orderText(order),
  "order.edited": ({ order }) => orderText(order),
  "order.cancelled": ({ orderUuid, reason }) => `${shortId(orderUuid)} ${reason ?? ""}`.trim(),
  "order.rejected": ({ orderUuid, refusalCode }) =>
    `${shortId(orderUuid)} ${refusalCode ?? ""}`.trim(),
  "position.closed": ({ tradePair, realizedPnl }) => `${tradePair} PnL ${decimalText(realizedPnl)}`,
  "account.eliminated": ({ reason }) => reason ?? "",
};

function orderText({ orderUuid, orderType, tradePair }: EventOrder): string {
  return `${shortId(orderUuid)} ${orderType} ${tradePair}`;
}
