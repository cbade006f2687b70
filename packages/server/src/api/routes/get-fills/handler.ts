import type { FillItem, Fills } from "@propgate/contract";
import type { ChainedLine } from "@propgate/core";
import { cursorProblemText, placeCursor } from "../../event-cursors.ts";
import { eventView } from "../../views/events/event-view.ts";
import { answered, type Handler, type HandlerOptions, rejected } from "../handler.ts";
import { historyPages } from "../history-page.ts";

/** GET fills: the fills of orders, oldest first. @rule D9.fills */
export function getFills({
  orderLives,
  instruments,
}: Pick<HandlerOptions, "orderLives" | "instruments">): Handler {
  const pageOf = historyPages(instruments);
  return async ({ accountId, query }) => {
    const wanted = pageOf(query);
    if (!wanted.ok) return rejected("invalidHistory", wanted.message);
    const read = await orderLives.fills(accountId, wanted.page);
    if (!read.ok) return rejected("invalidHistory", cursorProblemText(read.problem));
    const fills: Fills = { items: read.items.flatMap(fillView), next: placeCursor(read.next) };
    return answered(fills);
  };
}

function fillView(line: ChainedLine): readonly FillItem[] {
  const view = eventView(line, false);
  return view.type === "order.filled" ? [view] : [];
}
