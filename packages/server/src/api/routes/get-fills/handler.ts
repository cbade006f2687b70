import type { FillItem, Linked } from "@propgate/contract";
import type { ChainedLine } from "@propgate/core";
import { cursorProblemText, eventView } from "@propgate/wire";
import { fittingPage } from "../fitting-page.ts";
import { answerWithJson, type Handler, type HandlerOptions, rejectWith } from "../handler.ts";
import { createHistoryPageReader, isNewest } from "../history-page.ts";

/** GET fills: the fills of orders, oldest first. @rule D9.fills */
export function getFills({
  orderLives,
  instruments,
  networks,
}: Pick<HandlerOptions, "orderLives" | "instruments" | "networks">): Handler {
  const pageOf = createHistoryPageReader({ instruments, networks });
  return async (input) => {
    const wanted = await pageOf(input);
    if (!wanted.ok) return rejectWith("invalidHistory", wanted.message);
    const read = await orderLives.fills(input.accountId, wanted.page);
    if (!read.ok) return rejectWith("invalidHistory", cursorProblemText(read.problem));
    const { items, next } = await fittingPage({
      found: read.items,
      next: read.next,
      isNewest: isNewest(wanted.page),
      lineOf: (line) => line,
      view: fillView,
    });
    return answerWithJson(`{"items":${items},"next":${next}}`);
  };
}

function fillView(line: ChainedLine): FillItem<Linked> | null {
  const view = eventView(line, false);
  return view.type === "order.filled" ? view : null;
}
