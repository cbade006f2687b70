import { type Chance, wireJson } from "@propgate/base";
import { assert, createPairFinder, type Instruments } from "@propgate/core";
import type { StateCache, TraderReceipt, TradingNetwork } from "@propgate/ledger";
import { placementRejection } from "../order-body.ts";
import { orderCommand } from "../order-command.ts";
import { stayReasonText } from "../refusal-text.ts";
import { accountView } from "../views/account.ts";
import { instrumentViews } from "../views/instrument.ts";
import { answerJson } from "../views/order-answer.ts";
import { orderMessage } from "../views/order-message.ts";
import { payoutsAnswer } from "../views/payouts.ts";
import { pendingOrderView } from "../views/pending-order.ts";
import { positionView } from "../views/position.ts";
import { tradeView } from "../views/trade.ts";
import { mapReading } from "./map-reading.ts";
import { createTradeTexts } from "./trade-texts.ts";
import type { FlattenAnswer, WireNetwork } from "./wire-network.ts";

/** The service's own network, with answers in the API's form. */
export function createEmbeddedWireNetwork(options: {
  readonly network: TradingNetwork;
  readonly instruments: Instruments;
  readonly chance: Chance;
  readonly cache: Pick<StateCache, "onHistoryChanged">;
}): WireNetwork {
  const { network, instruments, chance, cache } = options;
  const texts = createTradeTexts({
    network,
    textOf: (trades) => wireJson(trades.map((trade) => tradeView(trade, instruments))).slice(1, -1),
  });
  cache.onHistoryChanged((account) => texts.forget(account));
  const names = { pairOf: createPairFinder(instruments), newUuid: () => chance.uuid() };
  return {
    account: async (at) => mapReading(await network.account(at), accountView),
    positions: async (at) =>
      mapReading(await network.positions(at), (positions) =>
        positions.map((position) => positionView(position, instruments)),
      ),
    pendingOrders: async (at) =>
      mapReading(await network.pendingOrders(at), (orders) =>
        orders.map((order) => pendingOrderView(order, instruments)),
      ),
    trades: (at) => texts.read(at),
    async tradesPage(at, { after, limit }) {
      const olderThan = after === null ? null : { tradeId: after };
      // One trade more than the page shows whether another page follows.
      const page = { newerThan: 0, olderThan, limit: limit + 1 };
      return mapReading(await network.trades(at, page), (found) =>
        found === null
          ? null
          : {
              items: found.slice(0, limit).map(({ trade }) => tradeView(trade, instruments)),
              hasMore: found.length > limit,
            },
      );
    },
    payouts: async (at, page) => mapReading(await network.payouts(at, page), payoutsAnswer),
    instruments: async (at) => mapReading(await network.market(at), instrumentViews),
    async placeOrder(accountId, sent, origin) {
      const command = orderCommand(sent.order, names);
      const placement = await network.carryOut(accountId, command, origin);
      if (!placement.ok) return { ok: false, rejection: placementRejection(placement, sent) };
      const { receipt, shown } = placement;
      return { ok: true, json: answerJson(receipt, instruments), shown };
    },
    async flatten(accountId, personId) {
      const command = { type: "flatten", target: "all", pair: null } as const;
      const origin = { by: "owner", personId } as const;
      const placement = await network.carryOut(accountId, command, origin);
      if (placement.ok) return flattenAnswerOf(placement.receipt, instruments);
      return { ok: false, rejection: placementRejection(placement) };
    },
  };
}

function flattenAnswerOf(receipt: TraderReceipt, instruments: Instruments): FlattenAnswer {
  assert(receipt.outcome !== "switched", "the receipt of a flatten");
  const { note } = receipt;
  const message = orderMessage(receipt, instruments);
  if (note?.kind !== "flattened") return { ok: true, result: { closed: [], stayed: [], message } };
  const stayed = note.stayed.map(({ pair, why }) => ({ pair, why: stayReasonText(why) }));
  return { ok: true, result: { closed: note.closed, stayed, message } };
}
