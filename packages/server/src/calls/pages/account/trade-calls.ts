import { parsePayoutsQuery } from "@propgate/contract";
import type { Reading } from "@propgate/ledger";
import {
  jsonListPieces,
  type NetworkReadings,
  type PayoutCursorCodec,
  payoutsPage,
  type WireNetworks,
} from "@propgate/wire";
import {
  type JsonReply,
  notOfferedReply,
  okReply,
  type RefusedReply,
  refusedReply,
  type StreamReply,
  wrongFieldReply,
} from "../../json/json-reply.ts";
import { type AccountCall, type AccountCallInput, UNREADABLE } from "./account-call.ts";

export interface TradeOptions {
  readonly networks: WireNetworks;
  readonly readings: NetworkReadings;
  /** The cursors of the signed API. A cursor of the one interface is valid in the other. */
  readonly cursors: PayoutCursorCodec;
}

/** GET trades and GET payouts, as the signed API answers them, and the fills of one trade. */
export function tradeCalls(options: TradeOptions): readonly AccountCall[] {
  const { networks, readings } = options;
  return [
    {
      name: "account.trades",
      method: "GET",
      path: "/accounts/:id/trades",
      async handle({ account }) {
        const reading = await networks[account.network].trades(account);
        if (!reading.ok) return unreadReply(reading);
        return tradesView(account.version, reading.value);
      },
    },
    {
      name: "account.fills",
      method: "GET",
      path: "/accounts/:id/trades/:tradeId/fills",
      async handle({ account, parameters }) {
        const { tradeId = "" } = parameters;
        const fills = await readings[account.network].fills(account, tradeId);
        if (fills === null) return refusedReply("Trade not found", 404);
        if (fills === "unreadable") return UNREADABLE;
        return "notOffered" in fills ? notOfferedReply(fills) : okReply(fills);
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

/** Answers a `TradesView` in pieces, because a history may be long. */
function tradesView(version: number, trades: AsyncIterable<Uint8Array>): StreamReply {
  return { status: 200, content: viewPieces(version, trades), type: "application/json" };
}

async function* viewPieces(
  version: number,
  trades: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`{"success":true,"data":{"version":${version},"trades":`);
  yield* jsonListPieces(trades);
  yield Buffer.from("}}");
}

async function payouts(
  { networks, cursors }: TradeOptions,
  input: AccountCallInput,
): Promise<JsonReply> {
  const { account, accountId } = input;
  const parameters = new Map(Object.entries(input.query).map(([name, one]) => [name, [one]]));
  const query = parsePayoutsQuery(parameters);
  if (!query.ok) return query.error === "invalidLimit" ? INVALID_LIMIT : INVALID_CURSOR;
  const after = query.cursor === null ? null : cursors.decode(accountId, query.cursor);
  if (query.cursor !== null && after === null) return INVALID_CURSOR;
  const page = { limit: query.limit, after };
  const reading = await networks[account.network].payouts(account, page);
  if (!reading.ok) return unreadReply(reading);
  const view = payoutsPage(reading.value, (position) => cursors.encode(accountId, position));
  return okReply({ version: account.version, payouts: view });
}

const INVALID_LIMIT: RefusedReply = wrongFieldReply("limit", "must be a whole number of 1 or more");
const INVALID_CURSOR: RefusedReply = wrongFieldReply(
  "cursor",
  "must be a nextCursor of this account's payouts",
);

function unreadReply(reading: Exclude<Reading<unknown>, { readonly ok: true }>): RefusedReply {
  return reading.error === "unreachable"
    ? UNREADABLE
    : refusedReply(`Try again: ${reading.message}`, 503);
}
