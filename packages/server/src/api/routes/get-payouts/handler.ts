import { parsePayoutsQuery } from "@propgate/contract";
import type { PayoutsPosition } from "@propgate/ledger";
import { mapReading, payoutsPage } from "@propgate/wire";
import {
  type Handler,
  type HandlerOptions,
  minimumReadAt,
  networkOf,
  readingOutcome,
  rejectWith,
} from "../handler.ts";

/**
 * GET payouts: a page of payouts, newest first, and on the first page the estimate for the cycle in progress.
 * @rule S2.5 S4.1.limit S4.1.cursor
 */
export const getPayouts =
  (options: Pick<HandlerOptions, "networks" | "cursors">): Handler =>
  async (input) => {
    const query = parsePayoutsQuery(input.query);
    if (!query.ok) return rejectWith(query.error);
    const { accountId } = input;
    const { cursors } = options;
    const after = query.cursor === null ? null : cursors.decode(accountId, query.cursor);
    if (query.cursor !== null && after === null) return rejectWith("invalidCursor");
    const network = networkOf(options, input);
    const reading = await network.payouts(minimumReadAt(input), { limit: query.limit, after });
    const cursorOf = (position: PayoutsPosition) => cursors.encode(accountId, position);
    return readingOutcome(
      mapReading(reading, (answer) => payoutsPage(answer, cursorOf)),
      input,
    );
  };
