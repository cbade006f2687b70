import { randomUUID } from "node:crypto";
import { accountId, orderUuid, price, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { formatTraceParent } from "../../../base/src/trace-parent.ts";
import { createMessageSeal } from "../../../base/src/transport/message-seal.ts";
import type { TraderSubmission } from "../../../ledger/src/trading/executor-port.ts";
import { TEST_TERMS } from "../../../server/src/testing/counting-decider.ts";
import {
  countSubmission,
  keyedCountSubmission,
  TEST_NOON,
} from "../../../server/src/testing/counting-network.ts";
import { createManualEngine } from "../../../server/src/testing/manual-engine.ts";
import { openTestDatabase } from "../../../server/src/testing/open-test-database.ts";
import { BTCUSD } from "../../../server/src/testing/small-market.ts";
import {
  type CommandMessage,
  createForwardMessageReader,
  createForwardMessageWriter,
  type ForwardHead,
  MESSAGE_BYTES_MAX,
} from "./forward-message.ts";

/** The maximum number of pending orders of one account. */
const PENDING_MAX = TEST_TERMS.mostRestingOrders;
const KEY = Buffer.alloc(32, 1);
const HEAD: ForwardHead = {
  installation: randomUUID(),
  from: randomUUID(),
  to: randomUUID(),
  number: 7,
};
const ID = accountId(randomUUID());
const SUBMISSION = keyedCountSubmission(ID, "nonce");
const COMMAND: CommandMessage = {
  head: HEAD,
  isAgain: false,
  waitedMs: 40,
  leftMs: 10_000,
  submission: SUBMISSION,
};

const seal = createMessageSeal([KEY]);
const sealed = (text: string): string => seal.seal(text, "forwarding");
const writer = createForwardMessageWriter(seal);
const bytes = (text: string | null): Uint8Array => new TextEncoder().encode(text ?? "");
const readerOf = (keys = [KEY]) =>
  createForwardMessageReader({
    installation: HEAD.installation,
    node: HEAD.to,
    seal: createMessageSeal(keys),
    now: () => TEST_NOON,
  });
/** A valid message with some fields replaced, and with a right seal. */
const changed = (fields: object): Uint8Array => {
  const sound = JSON.parse(seal.open(writer.command(COMMAND) ?? "", "forwarding") ?? "");
  return bytes(sealed(JSON.stringify({ ...sound, ...fields })));
};

describe("messages of forwarded commands", () => {
  test("messages of forwarded commands bring an order with the time of its receipt by the owner's clock", () => {
    const read = readerOf().command(bytes(writer.command(COMMAND)));
    expect(read).toEqual({
      ...COMMAND,
      submission: { ...SUBMISSION, receivedAtMs: unixMs(TEST_NOON - 40) },
    });
  });

  test("messages of forwarded commands bring the span of an order that is traced, and no field for one that is not", () => {
    const trace = formatTraceParent({
      traceId: "a".repeat(32),
      spanId: "b".repeat(16),
      traceFlags: 0,
    });
    const { origin } = SUBMISSION;
    const traced = origin.by === "key" ? { ...origin, trace } : origin;
    const sent = writer.command({ ...COMMAND, submission: { ...SUBMISSION, origin: traced } });
    expect(readerOf().command(bytes(sent))).toMatchObject({ submission: { origin: traced } });
    expect(sent).toContain(`"trace":"00-${"a".repeat(32)}-${"b".repeat(16)}-00"`);
    expect(writer.command(COMMAND)).not.toContain("trace");
  });

  test("messages of forwarded commands bring the id of a command without a nonce, and no field for one with a nonce", () => {
    const commandId = randomUUID();
    const promoted = { accountId: ID, command: { type: "promote" }, commandId } as const;
    const submission = { ...promoted, origin: { by: "operator" } } as const;
    const sent = writer.command({ ...COMMAND, submission });
    expect(readerOf().command(bytes(sent))).toMatchObject({ submission });
    expect(writer.command(COMMAND)).not.toContain("commandId");
  });

  test("messages of forwarded commands are read by a node that has one of the sender's master keys", () => {
    const [old, next] = [KEY, Buffer.alloc(32, 2)];
    const sent = createForwardMessageWriter(createMessageSeal([next, old])).command(COMMAND);
    for (const keys of [[old], [next], [next, old]]) {
      expect(readerOf(keys).command(bytes(sent))).toMatchObject({ head: HEAD });
    }
    const stranger = readerOf([Buffer.alloc(32, 3)]);
    expect(stranger.command(bytes(sent))).toEqual({ rejected: "seal" });
  });

  test.each([
    ["seal", bytes("")],
    ["seal", bytes("{}")],
    ["seal", new Uint8Array(1_000).fill(255)],
    ["seal", bytes(`${Buffer.alloc(32).toString("base64")}\n{}`)],
    ["seal", bytes(writer.command(COMMAND)?.replace('"number":7', '"number":8') ?? "")],
    ["size", bytes(sealed(JSON.stringify("x".repeat(MESSAGE_BYTES_MAX))))],
    ["json", bytes(sealed("{"))],
    ["json", bytes(sealed("null"))],
    ["json", bytes(sealed("7"))],
    ["form", bytes(sealed("{}"))],
    ["form", bytes(sealed("[]"))],
    ["format", changed({ format: 2 })],
    ["installation", changed({ installation: randomUUID() })],
    ["addressee", changed({ to: randomUUID() })],
    ["form", changed({ from: "somewhere" })],
    ["form", changed({ number: -1 })],
    ["form", changed({ number: 1.5 })],
    ["form", changed({ leftMs: 0 })],
    ["form", changed({ account: "7" })],
    ["form", changed({ more: true })],
    ["form", changed({ commandId: "7" })],
    ["form", changed({ origin: { by: "market" } })],
    ["form", changed({ origin: { by: "operator", personId: "me" } })],
    ["form", changed({ origin: { by: "key", keyId: "pk", nonce: "", admittedAtMs: 1 } })],
    ["form", changed({ origin: { ...SUBMISSION.origin, trace: `00-${"0".repeat(32)}-1-01` } })],
    ["form", changed({ origin: { ...SUBMISSION.origin, more: true } })],
    ["form", changed({ command: { type: "settlePrices" } })],
    ["form", changed({ command: { type: "constructor" } })],
    ["form", changed({ command: { type: "promote" } })],
    ["form", changed({ command: null })],
  ] as const)(
    "messages of forwarded commands are dropped for their %s (%#)",
    (rejected, content) => {
      expect(readerOf().command(content)).toEqual({ rejected });
    },
  );

  test("messages of forwarded commands are not read as answers, nor answers as commands", () => {
    const answer = writer.answer({ head: HEAD, result: { is: "notOwner" } });
    expect(readerOf().answer(bytes(answer))).toEqual({ head: HEAD, result: { is: "notOwner" } });
    expect(readerOf().command(bytes(answer))).toEqual({ rejected: "form" });
    expect(readerOf().answer(bytes(writer.command(COMMAND)))).toEqual({ rejected: "form" });
  });

  test("messages of forwarded commands do not carry what prices or the clock made", () => {
    const sent = writer.command({ ...COMMAND, submission: countSubmission(ID) });
    expect(readerOf().command(bytes(sent))).toEqual({ rejected: "form" });
  });

  test("carry the largest account, with as many pending orders as it may have", async () => {
    const engine = createManualEngine(await openTestDatabase());
    await engine.quote(BTCUSD, 50_000);
    const id = await engine.open();
    const limit = (index: number): TraderSubmission => ({
      accountId: id,
      origin: { by: "operator" },
      receivedAtMs: engine.now,
      command: {
        type: "placeLimit",
        orderUuid: orderUuid(randomUUID()),
        pair: BTCUSD,
        direction: "long",
        size: { kind: "quantity", lots: 0.01 },
        limitPrice: price(40_000 - index),
        legs: [],
        reduceOnly: false,
      },
    });
    const placed = await Promise.all(
      Array.from({ length: PENDING_MAX + 1 }, (_, index) => engine.executor.submit(limit(index))),
    );
    expect(placed.at(-1)).toMatchObject({ refusal: { code: "tooManyRestingOrders" } });
    const newest = placed.at(-2);
    if (newest?.ok !== true) throw new Error("an order below the cap was refused");
    const { account, events, receipt } = newest;
    expect(account.state.orders).toHaveLength(PENDING_MAX);
    const { state, version } = account;
    const rest = {
      headHash: Buffer.alloc(32, 9),
      place: { epoch: 3, number: 7 },
      lostEpoch: 2,
      lastAtMs: unixMs(5),
    };
    const result = { is: "done", version, account: { state, rest }, events, receipt } as const;
    const sent = bytes(writer.answer({ head: HEAD, result }));
    expect(readerOf().answer(sent)).toEqual({ head: HEAD, result });
    expect(sent.length).toBeLessThan(MESSAGE_BYTES_MAX / 4);
  });

  test("messages of forwarded commands leave out the state of an account that is too large", () => {
    const state = { accountId: ID, orders: "x".repeat(MESSAGE_BYTES_MAX) } as never;
    const sent = writer.answer({
      head: HEAD,
      result: {
        is: "done",
        version: 2,
        account: { state, rest: null },
        events: [],
        receipt: null,
      },
    });
    expect(readerOf().answer(bytes(sent))).toEqual({
      head: HEAD,
      result: { is: "done", version: 2, account: null, events: [], receipt: null },
    });
  });
});
