import { parsePayoutsQuery } from "@propgate/contract";
import { payoutsView } from "../../views/payouts.ts";
import { type Handler, type HandlerOptions, readAt, readingOutcome, rejected } from "../handler.ts";

/** GET payouts: a page of closed cycles, and on the first one the estimate. @rule S2.5 S4.1.limit S4.1.cursor */
export const getPayouts =
  ({ network, cursors }: Pick<HandlerOptions, "network" | "cursors">): Handler =>
  async (input) => {
    const query = parsePayoutsQuery(input.query);
    if (!query.ok) return rejected(query.error);
    const { accountId } = input;
    const after = query.cursor === null ? null : cursors.open(accountId, query.cursor);
    if (query.cursor !== null && after === null) return rejected("invalidCursor");
    const reading = await network.payouts(readAt(input), { limit: query.limit, after });
    return readingOutcome(reading, (page) =>
      payoutsView(page, (position) => cursors.seal(accountId, position)),
    );
  };
