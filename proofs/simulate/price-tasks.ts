/** The operator's tasks on prices: splits and dividends, funding rates, halts and choices of a source. */
import type { NumberedQuote } from "../../packages/market/src/prices/quotes/numbered-quote.ts";
import type { Turn } from "./checker.ts";
import { envelopeDataOf, fieldOf, listOrEmpty } from "./clients.ts";
import { FUNDED_PAIR, type Market, SHARE_PAIR, TRADED_PAIRS } from "./market.ts";
import type { NodeAnswer } from "./node/simulated-node.ts";
import { createOperatorTask, type OperatorTask } from "./operator-task.ts";
import { MAIN_SOURCE, SECOND_SOURCE, SECOND_SOURCE_PAIRS } from "./price-sources.ts";
import type { RandomDraw } from "./random-draw.ts";

/** The tasks that the report counts, by their names in the report, each with the status of the answers that count. */
const STATUS_OF_TASK = {
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
  "price.use": 200,
  "price.use.far": 200,
  "price.use.tooFar": 409,
  "price.effect": 200,
} as const;
export type CountedPriceTask = keyof typeof STATUS_OF_TASK;
export const COUNTED_PRICE_TASKS = Object.keys(STATUS_OF_TASK) as readonly CountedPriceTask[];

/** The operator's tasks on prices and their weights. */
export const PRICE_TASK_WEIGHTS = {
  split: 4,
  dividend: 1,
  actions: 3,
  cancelAction: 1,
  funding: 8,
  withdraw: 1,
  halt: 1,
  auto: 4,
  use: 8,
  effect: 4,
  prices: 2,
} as const;
export type PriceTaskName = keyof typeof PRICE_TASK_WEIGHTS;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/**
 * The ratios of splits, as new shares for old ones. The present price decides which of the two lists is used, so that
 * the price stays near its first value.
 */
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
/** A rate beyond 0.75 % an hour, which needs `large`. */
const LARGE_RATE = 0.01;

/** The answer to a choice of a source, to its preview, or to the list of all prices. */
export interface SourceAnswer {
  readonly kind: "use" | "effect" | "list";
  /** The pair; empty for the list. */
  readonly pair: string;
  readonly source: string;
  readonly isFar: boolean;
  readonly status: number;
  readonly data: unknown;
  /** The time of sending by the steady clock. */
  readonly sentSteadyMs: number;
  /** The pair's newest published quote when the call was sent; null when there was none. */
  readonly newestAtSending: NumberedQuote | null;
  /**
   * True for the answer to a repeated task. `sentSteadyMs` and `newestAtSending` are then those of its first sending.
   */
  readonly isAgain: boolean;
  readonly turn: Turn;
  readonly atMs: number;
}

/** The parts of the run that the tasks use. */
export interface PriceTaskNeeds {
  /** Called with the name of each counted task whose answer has the task's status in `STATUS_OF_TASK`. */
  readonly count: (act: CountedPriceTask) => void;
  readonly steadyMs: () => number;
  /** The pair's newest published quote; null when there is none. */
  readonly newest: (pair: string) => NumberedQuote | null;
  readonly record: (answer: Omit<SourceAnswer, "turn" | "atMs">) => void;
}

export interface PriceTasks {
  /** Draws a task; null when it has no object to act on. */
  draw(name: PriceTaskName, nowMs: number): OperatorTask | null;
}

export function createPriceTasks(
  draw: RandomDraw,
  market: Market,
  { count, steadyMs, newest, record }: PriceTaskNeeds,
): PriceTasks {
  /** The pairs that an operator may have halted or set to a chosen source. */
  const chosen = new Set<string>([SHARE_PAIR]);
  const versions = new Map<string, number>();
  const announced = new Set<string>();
  const funded = new Set<number>();

  const counted = (acts: readonly CountedPriceTask[], task: OperatorTask): OperatorTask => ({
    ...task,
    receive(answer: NodeAnswer) {
      for (const act of acts) if (STATUS_OF_TASK[act] === answer.status) count(act);
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
    market.split({ id, pair: SHARE_PAIR, atMs, factor: oldShares / newShares });
  };
  const announce = (body: object, acts: readonly CountedPriceTask[]): OperatorTask => ({
    ...counted(
      acts,
      createOperatorTask("POST", "/corporate-actions", {
        body: { pair: SHARE_PAIR, ...body },
        receive: learn,
      }),
    ),
    isForAllNodes: true,
  });
  const split = (nowMs: number): OperatorTask => {
    const [newShares, oldShares] = draw.pick(
      market.mid(SHARE_PAIR) < FIRST_PRICE ? REVERSE : FORWARD,
    );
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
    createOperatorTask("GET", "/corporate-actions?limit=500", {
      receive(data) {
        announced.clear();
        for (const one of listOrEmpty(fieldOf(data, "items"))) learn(one);
      },
    });
  const cancelAction = (): OperatorTask | null => {
    if (announced.size === 0) return null;
    const id = draw.pick([...announced]);
    const task = createOperatorTask("DELETE", `/corporate-actions/${id}`, {
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
    const task = createOperatorTask("POST", "/funding", {
      body: { pair: FUNDED_PAIR, atMs, rate, ...large },
      receive: () => void funded.add(atMs),
    });
    const act: CountedPriceTask =
      kind === "set" || kind === "large" ? "funding.set" : (`funding.${kind}` as const);
    return { ...counted([act], task), isForAllNodes: true };
  };
  const withdraw = (nowMs: number): OperatorTask | null => {
    const hours = [...funded].filter((atMs) => atMs > nowMs + HOUR_MS);
    if (hours.length === 0) return null;
    const atMs = draw.pick(hours);
    const task = createOperatorTask("DELETE", `/funding/${FUNDED_PAIR}?atMs=${atMs}`, {
      receive: () => void funded.delete(atMs),
    });
    return { ...counted(["funding.withdrawn"], task), isForAllNodes: true };
  };
  /**
   * The `version` field of a choice. It is often left out, else it is the version of an earlier answer, as an outdated
   * page would send it.
   */
  const seenVersion = (pair: string): { readonly version?: number } => {
    const known = versions.get(pair);
    return known === undefined || draw.chance(0.7) ? {} : { version: known };
  };
  const learnVersion = (pair: string, data: unknown): void => {
    const version = fieldOf(data, "version");
    if (typeof version === "number" && draw.chance(0.5)) versions.set(pair, version);
  };
  const choose = (word: "halt" | "auto"): OperatorTask => {
    // A sudden jump of its price halts the share without the operator, so the share always stays among `chosen`.
    const pair = draw.pick(word === "halt" ? TRADED_PAIRS : [...chosen]);
    if (word === "halt") chosen.add(pair);
    else if (pair !== SHARE_PAIR) chosen.delete(pair);
    const body = { ...(word === "halt" ? { reason: "a wrong price" } : {}), ...seenVersion(pair) };
    const task = createOperatorTask("POST", `/prices/${pair}/${word}`, {
      body,
      receive: (data) => learnVersion(pair, data),
    });
    return { ...counted([`price.${word}`, "price.changed"], task), disturbs: true };
  };
  const recorded = (
    about: Pick<SourceAnswer, "kind" | "pair" | "source" | "isFar">,
    task: OperatorTask,
  ): OperatorTask => {
    const sent = { sentSteadyMs: steadyMs(), newestAtSending: newest(about.pair) };
    let isAgain = false;
    return {
      ...task,
      receive(answer) {
        const { status, text } = answer;
        record({ ...about, status, data: envelopeDataOf(JSON.parse(text)), ...sent, isAgain });
        isAgain = true;
        task.receive(answer);
      },
    };
  };
  const use = (): OperatorTask => {
    const pair = draw.pick([...SECOND_SOURCE_PAIRS]);
    const source = draw.pick([MAIN_SOURCE, SECOND_SOURCE, SECOND_SOURCE]);
    const isFar = draw.chance(0.35);
    chosen.add(pair);
    const body = { source, ...(isFar ? { far: true } : {}), ...seenVersion(pair) };
    const task = createOperatorTask("POST", `/prices/${pair}/use`, {
      body,
      receive: (data) => learnVersion(pair, data),
    });
    return recorded(
      { kind: "use", pair, source, isFar },
      {
        ...task,
        disturbs: true,
        receive(answer) {
          if (answer.status === 200) count(isFar ? "price.use.far" : "price.use");
          else if (answer.status === 409)
            count(answer.text.includes("with far") ? "price.use.tooFar" : "price.changed");
          task.receive(answer);
        },
      },
    );
  };
  const effect = (): OperatorTask => {
    const pair = draw.pick([...SECOND_SOURCE_PAIRS]);
    const source = draw.pick([MAIN_SOURCE, SECOND_SOURCE]);
    const task = createOperatorTask("GET", `/prices/${pair}/use?source=${source}`, {});
    return recorded(
      { kind: "effect", pair, source, isFar: false },
      counted(["price.effect"], task),
    );
  };
  const prices = (): OperatorTask =>
    recorded(
      { kind: "list", pair: "", source: "", isFar: false },
      createOperatorTask("GET", "/prices", {}),
    );
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
        case "use":
          return use();
        case "effect":
          return effect();
        case "prices":
          return prices();
      }
    },
  };
}
