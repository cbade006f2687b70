import { randomUUID } from "node:crypto";
import { type AccountId, accountId } from "@propgate/core";
import { expect, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { formatTraceParent } from "../../../base/src/trace-parent.ts";
import { personId } from "../../../ledger/src/storage/rows/person-id.ts";
import { createReceiptStore } from "../../../ledger/src/storage/stores/receipt-store.ts";
import type { Submission, TraderSubmission } from "../../../ledger/src/trading/executor-port.ts";
import { verifyJournal } from "../../../ledger/src/trading/journal/verify-journal.ts";
import { UnknownFate } from "../../../ledger/src/trading/network/unknown-fate.ts";
import { NotOwner } from "../../../ledger/src/trading/ownership.ts";
import { NotCarriedOut } from "../../../ledger/src/trading/receipts/not-carried-out.ts";
import {
  countSubmission,
  keyedCountSubmission,
  openSubmission,
  storeNonce,
  TEST_KEY,
  TEST_NOON,
} from "../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import {
  createForwardingNodes,
  type ForwardingNode,
  type ForwardingNodes,
} from "../../../server/src/testing/forwarding-nodes.ts";
import { commandSubject } from "./subjects.ts";

const SECOND_MS = 1_000;
const TRACE = formatTraceParent({ traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: 1 });

await describeOnEachDatabase("commands that are forwarded to the owner", (database) => {
  /** Opens nodes, of which the first owns all accounts, and chooses the id of one account. */
  const opened = async (count: number) => {
    const made = createForwardingNodes(database(), count);
    await made.give(at(made, 0));
    const id = accountId(randomUUID());
    await at(made, 0).executor.submit(openSubmission(id));
    return { ...made, id };
  };
  const newOrder = async (id: AccountId) => {
    const nonce = randomUUID();
    await storeNonce(database(), nonce);
    return keyedCountSubmission(id, nonce);
  };
  const lines = async (id: AccountId): Promise<number> => {
    const { events, broken } = await verifyJournal(database(), id);
    expect(broken).toEqual([]);
    return events;
  };
  const sentTo = (made: ForwardingNodes, { id }: ForwardingNode): number => {
    const subject = commandSubject(made.installation, id);
    return made.hub.sent.filter((one) => one.subject === subject).length;
  };

  test("forwarded commands bring the span of their request, and those of other nodes alone are followed", async () => {
    const made = await opened(2);
    const [owner, other] = [at(made, 0), at(made, 1)];
    for (const node of [owner, other]) {
      const { origin, ...order } = await newOrder(made.id);
      const traced = origin.by === "key" ? { ...origin, trace: TRACE } : origin;
      await node.executor.submit({ ...order, origin: traced });
    }
    await other.executor.submit(await newOrder(made.id));
    expect(owner.traced).toEqual([[TRACE, "done"]]);
    expect(other.traced).toEqual([]);
  });

  test("forwarded commands have the same result through each of three nodes, and the owner alone decides them", async () => {
    const made = await opened(3);
    const seen = [];
    for (const node of made.nodes) {
      const execution = await node.executor.submit(await newOrder(made.id));
      seen.push(execution.ok ? [execution.account.version, execution.receipt?.outcome] : execution);
      const events = execution.ok ? execution.events : [];
      expect(events).toMatchObject([{ type: "trailMoved", atMs: TEST_NOON }]);
    }
    expect(seen).toEqual([2, 3, 4].map((version) => [version, "cancelled"]));
    expect(made.nodes.map((node) => node.orders())).toEqual([3, 0, 0]);
    expect(await lines(made.id)).toBe(4);
    const read = made.nodes.map(async ({ local }) =>
      local.cache.read({ accountId: made.id, version: 4 }),
    );
    const states = (await Promise.all(read)).map((account) => account?.state.realized);
    expect(states).toEqual([3, 3, 3]);
  });

  test("forwarded commands come 200 at a time through three nodes, each once, in one chain of versions", async () => {
    const made = await opened(3);
    const orders = await Promise.all(Array.from({ length: 200 }, () => newOrder(made.id)));
    const executions = await Promise.all(
      orders.map((order, index) => at(made, index % 3).executor.submit(order)),
    );
    const versions = executions.map((one) => (one.ok ? one.account.version : 0));
    expect(versions.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 2),
    );
    expect(await lines(made.id)).toBe(201);
    expect(at(made, 1).figures().forwarded.get("done")).toBe(67);
  });

  test("forwarded commands leave the sender the newest state, so a later read there needs no database", async () => {
    const made = await opened(2);
    await at(made, 1).executor.submit(await newOrder(made.id));
    const { cache } = at(made, 1).local;
    expect(cache.read({ accountId: made.id, version: 2 })).toBe(cache.get(made.id));
    expect(cache.get(made.id)).toMatchObject({ version: 2, state: { realized: 1 } });
  });

  test("forwarded commands are refused, or fail, as if they were decided by the sender", async () => {
    const made = await opened(2);
    const { executor } = at(made, 1);
    const refused = { type: "provisionAccount" } as const;
    expect(await executor.submit(byOperator(made.id, refused))).toEqual({
      ok: false,
      refusal: { code: "alreadyProvisioned" },
    });
    const fault = { type: "eliminateAccount", reason: "impossible" } as const;
    const failing = executor.submit(byOperator(made.id, fault));
    await expect(failing).rejects.toThrow("the command failed in the account's owner");
    await expect(failing).rejects.not.toBeInstanceOf(UnknownFate);
    expect(await lines(made.id)).toBe(1);
  });

  test("forwarded commands that the database rejects are not carried out, and the owner alone has the cause", async () => {
    const made = await opened(2);
    const [owner, sender] = [at(made, 0), at(made, 1)];
    const order = await newOrder(made.id);
    await database().query(
      `alter table journal add constraint planted check (account_id <> '${made.id}' or seq < 2)`,
    );
    const failing = sender.executor.submit(order);
    await expect(failing).rejects.toMatchObject({ name: "NotWritten", cause: null });
    await database().query("alter table journal drop constraint planted");
    expect(owner.faults).toEqual([expect.objectContaining({ code: "23514" })]);
    expect(sender.faults).toEqual([]);
    expect(await lines(made.id)).toBe(1);
  });

  test("forwarded commands are sent again after a second when the command was lost", async () => {
    const made = await opened(2);
    const [owner, sender] = [at(made, 0), at(made, 1)];
    owner.transport.lose(() => true);
    const order = sender.executor.submit(await newOrder(made.id));
    await eventually(() => expect(sentTo(made, owner)).toBe(1));
    owner.transport.lose(() => false);
    await made.time.pass(SECOND_MS);
    expect(await order).toMatchObject({ ok: true, account: { version: 2 } });
    expect(Object.fromEntries(sender.figures().forwarded)).toEqual({ silence: 1, done: 1 });
    expect(await lines(made.id)).toBe(2);
  });

  test.each(["the same", "a new"])(
    "forwarded commands are answered from the receipt by %s owner when the first answer was lost",
    async (which) => {
      const made = await opened(3);
      const [owner, sender, third] = [at(made, 0), at(made, 1), at(made, 2)];
      const order = await newOrder(made.id);
      sender.transport.lose(() => true);
      const answer = sender.executor.submit(order);
      await eventually(async () => expect(await lines(made.id)).toBe(2));
      // Another order is carried out first, so the answer does not belong to the newest version of the account.
      await owner.executor.submit(await newOrder(made.id));
      if (which === "a new") await made.give(third);
      sender.transport.lose(() => false);
      const execution = await made.until(answer);
      const stored = await createReceiptStore(database()).read(order.origin as never);
      expect(stored).toMatchObject({ fate: "accepted", result: { rest: '[1,{"version":2}]' } });
      expect(execution).toMatchObject({ receipt: { orderUuid: '[1,{"version":2}]' } });
      expect(await lines(made.id)).toBe(3);
      expect([owner.orders(), third.orders()]).toEqual([2, 0]);
    },
  );

  test("forwarded commands wait for a new owner while the partition changes nodes", async () => {
    const made = await opened(3);
    await at(made, 1).executor.submit(await newOrder(made.id));
    await made.give(null);
    const order = at(made, 1).executor.submit(await newOrder(made.id));
    await eventually(() => expect(at(made, 1).figures().forwarded.get("notOwner")).toBe(1));
    await made.give(at(made, 2));
    expect(await made.until(order)).toMatchObject({ ok: true, account: { version: 3 } });
    expect(at(made, 2).orders()).toBe(1);
  });

  test("forwarded commands are not written by a former owner that has not noticed, and go on to the new one", async () => {
    const made = await opened(2);
    const [former, next] = [at(made, 0), at(made, 1)];
    await made.give(next, "unnoticed");
    const execution = await made.until(former.executor.submit(await newOrder(made.id)));
    expect(execution).toMatchObject({ ok: true, account: { version: 2 } });
    expect(next.orders()).toBe(1);
    expect(await lines(made.id)).toBe(2);
  });

  test("forwarded commands end after two seconds without an owner, and nothing has happened", async () => {
    const made = await opened(2);
    await made.give(null);
    const order = await newOrder(made.id);
    const started = made.time.clock.now();
    await expect(made.until(at(made, 1).executor.submit(order))).rejects.toBeInstanceOf(NotOwner);
    expect(made.time.clock.now() - started).toBeGreaterThanOrEqual(2 * SECOND_MS);
    expect(sentTo(made, at(made, 0))).toBe(0);
    const provision = byOperator(made.id, { type: "closeAccount" });
    const closing = at(made, 1).executor.submit(provision);
    await expect(made.until(closing)).rejects.toBeInstanceOf(NotOwner);
    expect(await lines(made.id)).toBe(1);
  });

  test("forwarded commands have an unknown fate when the owner does not answer, and a late answer is only counted", async () => {
    const made = await opened(2);
    const [owner, sender] = [at(made, 0), at(made, 1)];
    sender.transport.hold();
    const order = sender.executor.submit(await newOrder(made.id));
    await expect(made.until(order)).rejects.toBeInstanceOf(UnknownFate);
    expect(sentTo(made, owner)).toBe(4);
    expect(sender.figures().waiting).toBe(0);
    await eventually(async () => expect(await lines(made.id)).toBe(2));
    sender.transport.release();
    expect(sender.figures().lateAnswers).toBeGreaterThan(0);
    expect(sender.figures().waiting).toBe(0);
  });

  test("forwarded commands are sent again after a second when the command was lost and has no nonce", async () => {
    const made = await opened(2);
    const [owner, sender] = [at(made, 0), at(made, 1)];
    owner.transport.lose(() => true);
    const id = accountId(randomUUID());
    const opens = sender.executor.submit(openSubmission(id));
    await eventually(() => expect(sentTo(made, owner)).toBe(1));
    owner.transport.lose(() => false);
    await made.time.pass(SECOND_MS);
    expect(await opens).toMatchObject({ ok: true, account: { version: 1 } });
    expect(await lines(id)).toBe(1);
  });

  test.each(["the same", "a new"])(
    "forwarded commands without a nonce are answered from their receipts by %s owner when the first answers were lost",
    async (which) => {
      const made = await opened(3);
      const [owner, sender, third] = [at(made, 0), at(made, 1), at(made, 2)];
      const id = accountId(randomUUID());
      sender.transport.lose(() => true);
      const opens = sender.executor.submit(openSubmission(id));
      const order = sender.executor.submit(byOwner(made.id));
      await eventually(async () => expect([await lines(id), await lines(made.id)]).toEqual([1, 2]));
      if (which === "a new") await made.give(third);
      sender.transport.lose(() => false);
      const [openedAccount, placed] = await made.until(Promise.all([opens, order]));
      expect(openedAccount).toMatchObject({ events: [{ type: "accountOpened" }], receipt: null });
      expect(placed).toMatchObject({
        account: { version: 2 },
        receipt: { orderUuid: '[1,{"version":2}]' },
      });
      expect([await lines(id), await lines(made.id)]).toEqual([1, 2]);
      expect([owner.orders(), third.orders()]).toEqual([1, 0]);
    },
  );

  test("forwarded commands without a nonce have a receipt only when they are forwarded", async () => {
    const made = await opened(2);
    const receipts = async (): Promise<number> => {
      const rows = await database().query<{ count: number }>(
        "select count(*)::int as count from receipts where account_id = $1",
        [made.id],
      );
      return rows[0]?.count ?? 0;
    };
    await at(made, 0).executor.submit(byOwner(made.id));
    expect(await receipts()).toBe(0);
    await at(made, 1).executor.submit(byOwner(made.id));
    expect(await receipts()).toBe(1);
  });

  test("forwarded commands without a nonce have an unknown fate when no owner has answered until the end", async () => {
    const made = await opened(2);
    const [owner, sender] = [at(made, 0), at(made, 1)];
    owner.transport.lose(() => true);
    const closing = sender.executor.submit(byOperator(made.id, { type: "closeAccount" }));
    await expect(made.until(closing)).rejects.toBeInstanceOf(UnknownFate);
    expect(sentTo(made, owner)).toBe(4);
  });

  test("commands are not forwarded when prices or the clock made them", async () => {
    const made = await opened(2);
    const settling = at(made, 1).executor.submit(countSubmission(made.id));
    await expect(settling).rejects.toBeInstanceOf(NotOwner);
    expect(sentTo(made, at(made, 0))).toBe(0);
  });

  test("forwarded commands are carried out once when the message arrives twice", async () => {
    const made = await opened(2);
    const [owner, sender] = [at(made, 0), at(made, 1)];
    await sender.executor.submit({
      ...keyedCountSubmission(made.id, "unused"),
      origin: { by: "operator" },
    });
    const [message] = made.hub.sent;
    if (message !== undefined) sender.transport.send(message.subject, message.content);
    await owner.executor.idle();
    expect(owner.figures().dropped.get("twice")).toBe(1);
    expect(await lines(made.id)).toBe(2);
  });

  test("forwarded commands are not carried out when their receipt was closed before", async () => {
    const made = await opened(2);
    const order = await newOrder(made.id);
    const { nonce } = order.origin as { readonly nonce: string };
    const closed = { keyId: TEST_KEY, nonce, status: 500, error: "late", refusalCode: null };
    await createReceiptStore(database()).closeWrites([closed], TEST_NOON);
    const late = at(made, 1).executor.submit(order);
    await expect(late).rejects.toBeInstanceOf(NotCarriedOut);
    expect(await lines(made.id)).toBe(1);
  });

  test("forwarded commands are not sent while there is no connection, and nothing has happened", async () => {
    const made = await opened(2);
    const sender = at(made, 1);
    sender.transport.disconnect();
    const order = made.until(sender.executor.submit(await newOrder(made.id)));
    await expect(order).rejects.toBeInstanceOf(NotOwner);
    expect(await lines(made.id)).toBe(1);
  });
});

function at({ nodes }: Pick<ForwardingNodes, "nodes">, index: number): ForwardingNode {
  const node = nodes[index];
  if (node === undefined) throw new Error(`no node ${index}`);
  return node;
}

function byOwner(id: AccountId): TraderSubmission {
  return {
    ...keyedCountSubmission(id, "unused"),
    origin: { by: "owner", personId: personId("person-1") },
  };
}

function byOperator(id: AccountId, command: Submission["command"]): Submission {
  return { accountId: id, command, origin: { by: "operator" } };
}
