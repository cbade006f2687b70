import { wireJson } from "@propgate/base";
import { orderIdsOfPath, parseLifeQuery } from "@propgate/contract";
import type { ChainedLine } from "@propgate/core";
import type { LifeRead } from "@propgate/ledger";
import {
  cursorOfPlace,
  cursorProblemText,
  ENVELOPE_BYTES_MAX,
  eventView,
  fittingList,
  orderLife,
} from "@propgate/wire";
import {
  answerWithJson,
  embeddedPendingOrders,
  type Handler,
  type HandlerOptions,
  rejectWith,
} from "../handler.ts";

/** GET orders/{orderUuid}: the life of an order or leg. @rule D9.orderLife D13.answerBytes */
export const getOrder =
  ({ embedded, orderLives }: Pick<HandlerOptions, "embedded" | "orderLives">): Handler =>
  async (input) => {
    const query = parseLifeQuery(input.query);
    const after = query.ok ? query.after : null;
    const found = await firstFound(orderIdsOfPath(input.path), (id) =>
      orderLives.find(input.accountId, id, after),
    );
    if (found === null) return rejectWith("orderNotFound");
    if (!query.ok) return rejectWith("invalidHistory", query.message);
    const { orderUuid, read } = found;
    if (!read.ok) return rejectWith("invalidHistory", cursorProblemText(read.problem));
    const pending = await embeddedPendingOrders(embedded, input);
    if (!pending.ok) return rejectWith("snapshotUnavailable");
    const life = orderLife({ orderUuid, lines: read.outline }, pending.value);
    if (life === null) return rejectWith("orderNotFound");
    return answerWithJson(await withEvents(wireJson(life), read));
  };

/** The life of the first of these ids that the account has; null when it has none of them. */
async function firstFound(
  ids: ReadonlySet<string>,
  find: (id: string) => Promise<LifeRead | null>,
): Promise<{ readonly orderUuid: string; readonly read: LifeRead } | null> {
  for (const orderUuid of ids) {
    const read = ORDER_ID.test(orderUuid) ? await find(orderUuid) : null;
    if (read !== null) return { orderUuid, read };
  }
  return null;
}

/** The form of an order's id. Other texts, such as one with a zero byte, never reach the database. */
const ORDER_ID = /^[\w-]{1,128}$/;

/** The life with as many events as fit into one answer, and with the cursor after the last one when more follow. */
async function withEvents(
  life: string,
  { following, hasMore }: Pick<Extract<LifeRead, { ok: true }>, "following" | "hasMore">,
): Promise<string> {
  const { json, count } = await fittingList(
    eventsOf(following),
    Buffer.byteLength(life) + ENVELOPE_BYTES_MAX,
  );
  const last = hasMore || count < following.length ? following[count - 1] : undefined;
  const next = last === undefined ? null : cursorOfPlace({ sequence: last.seq, hash: last.hash });
  return `${life.slice(0, -1)},"events":${json},"next":${JSON.stringify(next)}}`;
}

function* eventsOf(lines: readonly ChainedLine[]): Generator<readonly unknown[]> {
  for (const line of lines) yield [eventView(line, false)];
}
