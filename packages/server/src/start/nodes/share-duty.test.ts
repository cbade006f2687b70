import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createShareDuty, MOVE_AFTER_MS } from "./share-duty.ts";

const LOOK_EVERY_MS = 1_000;

/** A node with its `ShareDuty`, and the state that the duty reads. */
function createNode() {
  const state = {
    nowMs: 0,
    clockProblem: null as string | null,
    priceProblem: null as string | null,
    doOthersDecide: true,
  };
  const duty = createShareDuty({
    clockProblem: () => state.clockProblem,
    priceProblem: () => state.priceProblem,
    doOthersDecide: () => state.doOthersDecide,
    steadyClock: { nowMs: () => state.nowMs },
  });
  const pass = (ms: number): readonly boolean[] =>
    Array.from({ length: ms / LOOK_EVERY_MS }, () => {
      state.nowMs += LOOK_EVERY_MS;
      return duty.ownsShare();
    });
  return Object.assign(state, { duty, pass });
}

describe("a node without the feed's prices [D12.claims]", () => {
  test("a node without the feed's prices claims nothing at its start, and claims its share at the look after they come", () => {
    const node = createNode();
    node.priceProblem = "there is no connection to NATS";
    expect(node.pass(60_000)).not.toContain(true);
    node.doOthersDecide = false;
    expect(node.pass(60_000)).not.toContain(true);
    expect(node.duty.decides).toBe(false);
    node.doOthersDecide = true;
    node.priceProblem = null;
    expect(node.pass(1_000)).toEqual([true]);
  });

  test("a node without the feed's prices gives its share to nodes that have them, and takes it back when it has had them for as long", () => {
    const node = createNode();
    node.pass(1_000);
    node.priceProblem = "NATS delivers no messages";
    expect(node.pass(MOVE_AFTER_MS)).not.toContain(false);
    expect(node.pass(1_000)).toEqual([false]);
    node.priceProblem = null;
    expect(node.pass(MOVE_AFTER_MS)).not.toContain(true);
    expect(node.pass(1_000)).toEqual([true]);
  });

  test("a node without the feed's prices takes its share back immediately when no other node can decide", () => {
    const node = createNode();
    node.pass(1_000);
    node.priceProblem = "NATS delivers no messages";
    expect(node.pass(MOVE_AFTER_MS + 1_000).at(-1)).toBe(false);
    node.doOthersDecide = false;
    expect(node.pass(20_000)).not.toContain(true);
    node.priceProblem = null;
    expect(node.pass(1_000)).toEqual([true]);
  });

  test("a node without the feed's prices for moments only moves nothing, whether it owns its share or not", () => {
    const node = createNode();
    const flap = (): readonly boolean[] => {
      node.priceProblem = "NATS delivers no messages";
      const cut = node.pass(MOVE_AFTER_MS - 1_000);
      node.priceProblem = null;
      return [...cut, ...node.pass(1_000)];
    };
    node.pass(1_000);
    for (let times = 0; times < 10; times += 1) expect(flap()).not.toContain(false);
    node.priceProblem = "NATS delivers no messages";
    node.pass(MOVE_AFTER_MS + 1_000);
    for (let times = 0; times < 10; times += 1) expect(flap()).not.toContain(true);
  });
});

test("a node whose clock is wrong owns nothing from the next look, and its share from the look after the clock is right [D12.oneClock]", () => {
  const node = createNode();
  node.doOthersDecide = false;
  node.pass(1_000);
  node.clockProblem = "the clock of this node is 3.0 s behind the database's";
  expect(node.pass(5_000)).not.toContain(true);
  expect(node.duty.decides).toBe(false);
  node.clockProblem = null;
  node.doOthersDecide = true;
  expect(node.pass(1_000)).toEqual([true]);
});

test("nothing moves among nodes that lose and get the prices together, within the time of two heartbeats [D12.claims]", () => {
  const outage = fc.record({
    forMs: fc.integer({ min: 1, max: 60 }).map((seconds) => seconds * LOOK_EVERY_MS),
    // For each node, the number of checks by which it notices later than the first node that prices have ended or
    // begun.
    later: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 3, maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(outage, { minLength: 1, maxLength: 6 }), (outages) => {
      const nodes = [createNode(), createNode(), createNode()];
      const heard: boolean[] = nodes.map(() => true);
      let looks = 0;
      const look = (): void => {
        looks += 1;
        // A node gets the figures of the others only in every second check.
        for (const [index, node] of nodes.entries()) {
          if (looks % 2 === index % 2) heard[index] = node.duty.decides;
        }
        for (const [index, node] of nodes.entries()) {
          node.doOthersDecide = heard.some((decides, other) => decides && other !== index);
          expect(node.pass(LOOK_EVERY_MS)).toEqual([true]);
        }
      };
      const change = (problem: string | null, later: readonly number[], forMs: number): void => {
        for (let passedMs = 0; passedMs < forMs; passedMs += LOOK_EVERY_MS) {
          for (const [index, node] of nodes.entries()) {
            if (passedMs >= (later[index] ?? 0) * LOOK_EVERY_MS) node.priceProblem = problem;
          }
          look();
        }
      };
      look();
      for (const { forMs, later } of outages) {
        change("no node sends prices", later, forMs + 2_000);
        change(null, later, forMs + 2_000);
      }
    }),
  );
});
