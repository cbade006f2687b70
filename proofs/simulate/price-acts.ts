/** The operator's acts on prices: splits and dividends, funding rates, halts and choices. */
import { fieldOf, listOf } from "./clients.ts";
import type { Draw } from "./draw.ts";
import { FUNDED_PAIR, type Market, PAIRS, SHARE } from "./market.ts";
import type { NodeAnswer } from "./node/simulated-node.ts";
import { type OperatorTask, operatorTask } from "./operator-task.ts";

/** The name of each act in the report, and the status of the answers that are counted. */
const ACTS = {
  "split.early": 200,
  "split.late": 200,
  "split.again": 200,
  "split.twice": 409,
  "split.tooNear": 400,
  dividend: 200,
  "action.cancelled": 200,
  "funding.set": 200,
  "funding.withdrawn": 200,
  "funding.beyond": 409,
  "funding.past": 409,
  "price.halt": 200,
  "price.auto": 200,
  "price.changed": 409,
} as const;
export type PriceAct = keyof typeof ACTS;
export const PRICE_ACTS = Object.keys(ACTS) as readonly PriceAct[];

export const PRICE_TASKS = {
  split: 4,
  dividend: 1,
  actions: 3,
  cancelAction: 1,
  funding: 8,
  withdraw: 1,
  halt: 1,
  auto: 3,
} as const;
export type PriceWord = keyof typeof PRICE_TASKS;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** New shares for old ones; chosen so that the price stays near its first one. */
const FORWARD: readonly (readonly [number, number])[] = [
  [2, 1],
  [4, 1],
  [3, 2],
];
const REVERSE: readonly (readonly [number, number])[] = [
  [1, 2],
  [1, 4],
  [2, 3],
];
const FIRST_PRICE = 220;
const RATE = 0.0005;
/** Beyond 0.75 % an hour, which needs `large`. */
const LARGE_RATE = 0.01;

export interface PriceActs {
  /** Null when there is nothing to act on. */
  draw(word: PriceWord, nowMs: number): OperatorTask | null;
}

/** `count` gets the name of each act whose answer shows that it was one. */
export function createPriceActs(
  draw: Draw,
  market: Market,
  count: (act: PriceAct) => void,
): PriceActs {
  const halted = new Set<string>([SHARE]);
  const versions = new Map<string, number>();
  const announced = new Set<string>();
  const funded = new Set<number>();

  const counted = (acts: readonly PriceAct[], task: OperatorTask): OperatorTask => ({
    ...task,
    receive(answer: NodeAnswer) {
      for (const act of acts) if (ACTS[act] === answer.status) count(act);
      task.receive(answer);
    },
  });
  const learn = (action: unknown): void => {
    const [id, kind, atMs] = [
      fieldOf(action, "id"),
      fieldOf(action, "kind"),
      fieldOf(action, "atMs"),
    ];
    const [newShares, oldShares] = [fieldOf(action, "newShares"), fieldOf(action, "oldShares")];
    if (typeof id !== "string" || fieldOf(action, "status") === "cancelled") return;
    if (fieldOf(action, "status") === "announced") announced.add(id);
    if (kind !== "split" || typeof atMs !== "number") return;
    if (typeof newShares !== "number" || typeof oldShares !== "number") return;
    market.split({ id, pair: SHARE, atMs, factor: oldShares / newShares });
  };
  const announce = (body: object, acts: readonly PriceAct[]): OperatorTask => ({
    ...counted(
      acts,
      operatorTask("POST", "/corporate-actions", {
        body: { pair: SHARE, ...body },
        receive: learn,
      }),
    ),
    isForAllNodes: true,
  });
  const split = (nowMs: number): OperatorTask => {
    const [newShares, oldShares] = draw.pick(market.mid(SHARE) < FIRST_PRICE ? REVERSE : FORWARD);
    const when = draw.weighted({ early: 5, late: 4, tooNear: 1 });
    const aheadMs = {
      early: Math.round(draw.magnitude(MINUTE_MS, 30 * HOUR_MS)),
      late: -Math.round(draw.magnitude(1_000, 6 * HOUR_MS)),
      tooNear: 2_000,
    };
    const isAgain = draw.chance(0.6);
    const ratio = { kind: "split", newShares, oldShares };
    return announce(
      { ...ratio, atMs: nowMs + aheadMs[when], ...(isAgain ? { again: true } : {}) },
      [`split.${when}`, isAgain ? "split.again" : "split.twice"],
    );
  };
  const dividend = (nowMs: number): OperatorTask => {
    const atMs = nowMs + Math.round(draw.magnitude(MINUTE_MS, 30 * HOUR_MS));
    return announce({ kind: "dividend", amount: draw.pick([0.1, 0.26, 1]), atMs }, ["dividend"]);
  };
  const actions = (): OperatorTask =>
    operatorTask("GET", "/corporate-actions", {
      receive(data) {
        announced.clear();
        for (const one of listOf(fieldOf(data, "items"))) learn(one);
      },
    });
  const cancelAction = (): OperatorTask | null => {
    if (announced.size === 0) return null;
    const id = draw.pick([...announced]);
    const task = operatorTask("DELETE", `/corporate-actions/${id}`, {
      receive() {
        announced.delete(id);
        market.forget(id);
      },
    });
    return { ...counted(["action.cancelled"], task), isForAllNodes: true };
  };
  const fund = (nowMs: number): OperatorTask => {
    const kind = draw.weighted({ set: 8, large: 1, beyond: 1, past: 1 });
    const hours = kind === "past" ? -draw.below(30) - 1 : 2 + draw.below(30);
    const atMs = (Math.floor(nowMs / HOUR_MS) + hours) * HOUR_MS;
    const size = kind === "large" || kind === "beyond" ? LARGE_RATE : RATE;
    const rate = draw.pick([-1, 1]) * size * (1 + draw.unit() / 2);
    const large = kind === "large" ? { large: true } : {};
    const task = operatorTask("POST", "/funding", {
      body: { pair: FUNDED_PAIR, atMs, rate, ...large },
      receive: () => void funded.add(atMs),
    });
    const act: PriceAct =
      kind === "set" || kind === "large" ? "funding.set" : (`funding.${kind}` as const);
    return { ...counted([act], task), isForAllNodes: true };
  };
  const withdraw = (nowMs: number): OperatorTask | null => {
    const hours = [...funded].filter((atMs) => atMs > nowMs + HOUR_MS);
    if (hours.length === 0) return null;
    const atMs = draw.pick(hours);
    const task = operatorTask("DELETE", `/funding/${FUNDED_PAIR}?atMs=${atMs}`, {
      receive: () => void funded.delete(atMs),
    });
    return { ...counted(["funding.withdrawn"], task), isForAllNodes: true };
  };
  const choose = (word: "halt" | "auto"): OperatorTask => {
    // A gap halts the share without the operator.
    const pair = draw.pick(word === "halt" ? PAIRS : [...halted]);
    if (word === "halt") halted.add(pair);
    else if (pair !== SHARE) halted.delete(pair);
    const known = versions.get(pair);
    const seen = known === undefined || draw.chance(0.7) ? {} : { version: known };
    const body = { ...(word === "halt" ? { reason: "a wrong price" } : {}), ...seen };
    const task = operatorTask("POST", `/prices/${pair}/${word}`, {
      body,
      receive(data) {
        const version = fieldOf(data, "version");
        if (typeof version === "number" && draw.chance(0.5)) versions.set(pair, version);
      },
    });
    return { ...counted([`price.${word}`, "price.changed"], task), disturbs: true };
  };
  return {
    draw(word, nowMs) {
      switch (word) {
        case "split":
          return split(Math.round(nowMs));
        case "dividend":
          return dividend(Math.round(nowMs));
        case "actions":
          return actions();
        case "cancelAction":
          return cancelAction();
        case "funding":
          return fund(nowMs);
        case "withdraw":
          return withdraw(nowMs);
        case "halt":
        case "auto":
          return choose(word);
      }
    },
  };
}
