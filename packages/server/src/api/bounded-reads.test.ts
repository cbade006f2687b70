import { accountId } from "@propgate/core";
import { expect, test } from "vitest";
import type { Timer } from "../../../base/src/clock.ts";
import { createExpensiveReads, type EndRead } from "../../../wire/src/expensive-reads.ts";
import { asExpensiveRead } from "./bounded-reads.ts";
import type { HandlerInput, HandlerOutcome } from "./routes/handler.ts";

const ONE = accountId("7f1c1c9e-94a2-4f0f-9d0a-000000000001");
const OTHER = accountId("7f1c1c9e-94a2-4f0f-9d0a-000000000002");

/** A timer that elapses only when the test calls `passTime`. */
function handTimer() {
  const due = new Set<() => void>();
  const timer = {
    after: (_ms: number, work: () => void) => {
      due.add(work);
      return () => void due.delete(work);
    },
  } as Timer;
  return {
    timer,
    passTime: () => {
      for (const work of due) work();
    },
    due,
  };
}

async function begun(reading: Promise<EndRead | null>): Promise<EndRead> {
  const end = await reading;
  if (end === null) throw new Error("the read did not begin");
  return end;
}

test("two expensive reads of an account are under way, and the next begins when one ends [D13.expensiveReads]", async () => {
  const { timer, due } = handTimer();
  const reads = createExpensiveReads(timer);
  const [first, second] = [await begun(reads.begin(ONE)), await begun(reads.begin(ONE))];
  let order = "";
  const third = begun(reads.begin(ONE)).then((end) => {
    order += "3";
    return end;
  });
  const fourth = begun(reads.begin(ONE)).then((end) => {
    order += "4";
    return end;
  });
  await begun(reads.begin(OTHER));
  expect(order).toBe("");
  first();
  first();
  await third;
  expect(order).toBe("3");
  second();
  await fourth;
  expect([order, due.size]).toEqual(["34", 0]);
});

test("a read that waited for two seconds does not begin, and holds no place [D13.expensiveReads]", async () => {
  const { timer, passTime } = handTimer();
  const reads = createExpensiveReads(timer);
  const [first, second] = [await begun(reads.begin(ONE)), await begun(reads.begin(ONE))];
  const third = reads.begin(ONE);
  passTime();
  expect(await third).toBeNull();
  first();
  second();
  await begun(reads.begin(ONE));
  await begun(reads.begin(ONE));
});

test("a read that waits for an event gives its place to others, and reads again in its turn [D13.expensiveReads]", async () => {
  const { timer, passTime } = handTimer();
  const reads = createExpensiveReads(timer);
  const answer: HandlerOutcome = { ok: true, json: "{}", ignored: [] };
  const input = { accountId: ONE } as HandlerInput;
  const readAfter = (event: Promise<void>) =>
    asExpensiveRead(reads, async ({ waitWithoutSlot }) =>
      (await waitWithoutSlot(event)) ? answer : { ok: false, rejection: { error: "rateLimited" } },
    )(input);
  const [event, later] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = readAfter(event.promise);
  const one = await begun(reads.begin(ONE));
  await begun(reads.begin(ONE));
  event.resolve();
  one();
  expect(await first).toEqual(answer);
  const second = readAfter(later.promise);
  await begun(reads.begin(ONE));
  later.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  passTime();
  expect(await second).toMatchObject({ ok: false, rejection: { error: "rateLimited" } });
});
