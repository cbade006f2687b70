import type { FillItem, Linked } from "@propgate/contract";
import type { ChainedLine } from "@propgate/core";
import { cursorProblemText, eventView } from "@propgate/wire";
import { fittingPage } from "../fitting-page.ts";
import { answeredJson, type Handler, type HandlerOptions, rejected } from "../handler.ts";
import { historyPages, isNewest } from "../history-page.ts";

/** GET fills: the fills of orders, oldest first. @rule D9.fills */
export function getFills({
  orderLives,
  instruments,
  networks,
}: Pick<HandlerOptions, "orderLives" | "instruments" | "networks">): Handler {
  const pageOf = historyPages({ instruments, networks });
  return async (input) => {
    const wanted = await pageOf(input);
    if (!wanted.ok) return rejected("invalidHistory", wanted.message);
    const read = await orderLives.fills(input.accountId, wanted.page);
    if (!read.ok) return rejected("invalidHistory", cursorProblemText(read.problem));
    const { items, next } = await fittingPage({
      found: read.items,
      next: read.next,
      isNewest: isNewest(wanted.page),
      lineOf: (line) => line,
      view: fillView,
    });
    return answeredJson(`{"items":${items},"next":${next}}`);
  };
}

function fillView(line: ChainedLine): FillItem<Linked> | null {
  const view = eventView(line, false);
  return view.type === "order.filled" ? view : null;
}
