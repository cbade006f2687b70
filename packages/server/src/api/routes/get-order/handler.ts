import { wireJson } from "@propgate/base";
import { orderOfPath, parseLifeQuery } from "@propgate/contract";
import type { ChainedLine } from "@propgate/core";
import type { LifeRead } from "@propgate/ledger";
import {
  AROUND_BYTES,
  cursorOfPlace,
  cursorProblemText,
  eventView,
  fittingList,
  orderLife,
} from "@propgate/wire";
import {
  answeredJson,
  decidedOrders,
  type Handler,
  type HandlerOptions,
  rejected,
} from "../handler.ts";

/** GET orders/{orderUuid}: the life of an order or leg. @rule D9.orderLife D13.answerBytes */
export const getOrder =
  ({ embedded, orderLives }: Pick<HandlerOptions, "embedded" | "orderLives">): Handler =>
  async (input) => {
    const orderUuid = orderOfPath(input.path) ?? "";
    if (!ORDER_ID.test(orderUuid)) return rejected("orderNotFound");
    const query = parseLifeQuery(input.query);
    const after = query.ok ? query.after : null;
    const found = await orderLives.find(input.accountId, orderUuid, after);
    if (found === null) return rejected("orderNotFound");
    if (!query.ok) return rejected("invalidHistory", query.message);
    if (!found.ok) return rejected("invalidHistory", cursorProblemText(found.problem));
    const pending = await decidedOrders(embedded, input);
    if (!pending.ok) return rejected("snapshotUnavailable");
    const life = orderLife({ orderUuid, lines: found.outline }, pending.value);
    if (life === null) return rejected("orderNotFound");
    return answeredJson(await withEvents(wireJson(life), found));
  };

/** The form of an order's id. Other texts, such as one with a zero byte, never reach the database. */
const ORDER_ID = /^[\w-]{1,128}$/;

/** The life with as many events as fit into one answer, and with the cursor after the last one when more follow. */
async function withEvents(
  life: string,
  { following, hasMore }: Pick<Extract<LifeRead, { ok: true }>, "following" | "hasMore">,
): Promise<string> {
  const { json, count } = await fittingList(
    eventsOf(following),
    Buffer.byteLength(life) + AROUND_BYTES,
  );
  const last = hasMore || count < following.length ? following[count - 1] : undefined;
  const next = last === undefined ? null : cursorOfPlace({ sequence: last.seq, hash: last.hash });
  return `${life.slice(0, -1)},"events":${json},"next":${JSON.stringify(next)}}`;
}

function* eventsOf(lines: readonly ChainedLine[]): Generator<readonly unknown[]> {
  for (const line of lines) yield [eventView(line, false)];
}
