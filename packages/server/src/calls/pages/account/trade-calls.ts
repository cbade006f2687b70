import { parsePayoutsQuery, type TradesView } from "@propgate/contract";
import type { Instruments } from "@propgate/core";
import type { Cursors } from "../../../api/cursor.ts";
import { payoutsView } from "../../../api/views/payouts.ts";
import { tradeView } from "../../../api/views/trade.ts";
import type { Reading, TradingNetwork } from "../../../trading/network/port.ts";
import { parseUuid } from "../../json/json-fields.ts";
import { fine, type JsonReply, type RefusedReply, refused } from "../../json/json-reply.ts";
import { type AccountCall, type HandlerInput, UNREADABLE } from "./account-call.ts";
import { type FillReader, positionFills } from "./trade-fills.ts";

export interface TradeOptions {
  readonly network: Pick<TradingNetwork, "trades" | "payouts">;
  readonly instruments: Instruments;
  /** The API's cursors: each is valid in the API and in the pages. */
  readonly cursors: Cursors;
  readonly fills: FillReader;
}

/** GET trades, a trade's fills, and payouts, rendered by the API's views. */
export function tradeCalls(options: TradeOptions): readonly AccountCall[] {
  const { network, instruments } = options;
  return [
    {
      name: "account.trades",
      method: "GET",
      path: "/accounts/:id/trades",
      async handle({ account }) {
        const reading = await network.trades(account);
        if (!reading.ok) return unread(reading);
        const trades = reading.value.map((trade) => tradeView(trade, instruments));
        return fine({ version: account.version, trades } satisfies TradesView);
      },
    },
    {
      name: "account.fills",
      method: "GET",
      path: "/accounts/:id/trades/:tradeId/fills",
      async handle({ account, parameters }) {
        const id = parseUuid(parameters.tradeId);
        const fills = id === null ? null : await positionFills(options.fills, account, id);
        return fills === null ? refused("Trade not found", 404) : fine(fills);
      },
    },
    {
      name: "account.payouts",
      method: "GET",
      path: "/accounts/:id/payouts",
      handle: (input) => payouts(options, input),
    },
  ];
}

async function payouts(
  { network, cursors }: TradeOptions,
  input: HandlerInput,
): Promise<JsonReply> {
  const { account, accountId } = input;
  const parameters = new Map(Object.entries(input.query).map(([name, one]) => [name, [one]]));
  const query = parsePayoutsQuery(parameters);
  if (!query.ok) return query.error === "invalidLimit" ? INVALID_LIMIT : INVALID_CURSOR;
  const after = query.cursor === null ? null : cursors.open(accountId, query.cursor);
  if (query.cursor !== null && after === null) return INVALID_CURSOR;
  const reading = await network.payouts(account, { limit: query.limit, after });
  if (!reading.ok) return unread(reading);
  const view = payoutsView(reading.value, (position) => cursors.seal(accountId, position));
  return fine({ version: account.version, payouts: view });
}

const INVALID_LIMIT: RefusedReply = refused("limit: must be a whole number of 1 or more", 400);
const INVALID_CURSOR: RefusedReply = refused(
  "cursor: must be a nextCursor of this account's payouts",
  400,
);

function unread(reading: Exclude<Reading<unknown>, { readonly ok: true }>): RefusedReply {
  return reading.error === "unreachable"
    ? UNREADABLE
    : refused(`Try again: ${reading.message}`, 503);
}
