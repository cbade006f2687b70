import {
  type Clients,
  fieldOf,
  type HeldKey,
  listOrEmpty,
  type SimulatedTrader,
} from "./clients.ts";
import { ACCOUNT_CLASSES } from "./market.ts";
import { createOperatorTask, type OperatorTask } from "./operator-task.ts";
import { PRICE_TASK_WEIGHTS, type PriceTaskName, type PriceTasks } from "./price-tasks.ts";
import type { RandomDraw } from "./random-draw.ts";

/** The operator: opens accounts, creates and revokes keys, promotes and ends accounts, and acts on prices. */
export interface Operator {
  open(): OperatorTask;
  key(trader: SimulatedTrader, scopes: HeldKey["scopes"]): OperatorTask;
  /**
   * A random task: often the task that is needed most, and sometimes the last task on an account or on prices again.
   * Null when the drawn task has no object to act on.
   */
  draw(nowMs: number): OperatorTask | null;
}

const TASKS = {
  open: 5,
  key: 4,
  revoke: 3,
  promote: 12,
  offerPro: 4,
  eliminate: 0.5,
  close: 0.5,
  provision: 2,
  payouts: 5,
  pay: 6,
  ...PRICE_TASK_WEIGHTS,
  accounts: 1,
  health: 1,
} as const;

/**
 * The phases that promotions name. Most are not the account's phase, as when an operator repeats a call or uses an
 * outdated page.
 */
const PHASES = ["challenge", "funded", "transition", "proChallenge"] as const;
/** The share of the drawn tasks that repeat the last task on an account or on prices, as after a lost answer. */
const REPEAT_SHARE = 0.2;
const KEYS_MAX = 4;
/** With fewer active traders, the next needed task opens an account. */
const ACTIVE_MIN = 8;
const KEYS_AT_OPENING = 2;
const SCOPES: Readonly<Record<HeldKey["scopes"], readonly string[]>> = {
  read: ["trade:read"],
  place: ["trade:place"],
  both: ["trade:read", "trade:place"],
};

export function createOperator(draw: RandomDraw, clients: Clients, prices: PriceTasks): Operator {
  const unpaid = new Set<string>();
  let last: OperatorTask | null = null;
  const { traders } = clients;
  const open = (): OperatorTask => {
    const assetClass = draw.chance(0.5) ? "all_markets" : draw.pick(ACCOUNT_CLASSES);
    const body = {
      size: draw.pick([5_000, 25_000, 100_000]),
      assetClass,
      drawdownCriteria: draw.pick(["static", "trailing"]),
      tier: 1 + draw.below(3),
      provisioned: !draw.chance(0.1),
      ...(draw.chance(0.5) ? { ownerId: `owner-${draw.below(6)}` } : {}),
      ...(draw.chance(0.3) ? { dailyLossPct: draw.pick([3, 5]) } : {}),
    };
    return createOperatorTask("POST", "/accounts", {
      body,
      receive(data) {
        const id = fieldOf(data, "accountId");
        if (typeof id === "string") clients.join(id, assetClass);
      },
    });
  };
  const key: Operator["key"] = (trader, scopes) =>
    createOperatorTask("POST", "/keys", {
      body: { accountId: trader.accountId, scopes: SCOPES[scopes] },
      receive(data) {
        const keyId = fieldOf(data, "keyId");
        const secret = fieldOf(data, "secret");
        if (typeof keyId !== "string" || typeof secret !== "string") return;
        trader.keys.push({ keyId, secret, scopes });
        if (trader.keys.length > KEYS_MAX) trader.keys.shift();
      },
    });
  const accountTask = (word: string, body: unknown = {}): OperatorTask | null => {
    const candidates = word === "provision" ? traders.filter(({ isOver }) => isOver) : traders;
    if (candidates.length === 0) return null;
    const trader = draw.pick(candidates);
    last = createOperatorTask("POST", `/accounts/${trader.accountId}/${word}`, {
      body,
      receive() {
        if (word === "provision") trader.isOver = false;
      },
    });
    return last;
  };
  const priceTask = (word: PriceTaskName, nowMs: number): OperatorTask | null => {
    const task = prices.draw(word, nowMs);
    if (task !== null) last = task;
    return task;
  };
  const drawKey = (): OperatorTask | null => {
    const without = traders.filter(({ keys }) => keys.length === 0);
    const candidates = without.length > 0 ? without : traders;
    if (candidates.length === 0) return null;
    return key(draw.pick(candidates), draw.pick(["both", "both", "both", "read", "place"]));
  };
  const revoke = (): OperatorTask | null => {
    const rich = traders.filter(({ keys }) => keys.length > 1);
    if (rich.length === 0) return null;
    const { keyId } = draw.pick(draw.pick(rich).keys);
    return createOperatorTask("DELETE", `/keys/${keyId}`, {});
  };
  const payouts = (): OperatorTask =>
    createOperatorTask("GET", "/payouts?status=pending,processing,failed", {
      receive(data) {
        for (const one of listOrEmpty(fieldOf(data, "items"))) {
          const id = fieldOf(one, "id");
          if (typeof id === "string") unpaid.add(id);
        }
      },
    });
  const pay = (): OperatorTask | null => {
    if (unpaid.size === 0) return null;
    const id = draw.pick([...unpaid]);
    const status = draw.pick(["processing", "paid", "failed"]);
    if (status === "paid") unpaid.delete(id);
    return createOperatorTask("POST", `/payouts/${id}`, { body: { status } });
  };
  /**
   * The task that is needed most: a key for a trader with too few, or an account when few traders are active; else
   * null.
   */
  const need = (): OperatorTask | null => {
    const poor = clients.active.find(({ keys }) => keys.length < KEYS_AT_OPENING);
    if (poor !== undefined) return key(poor, "both");
    return clients.active.length < ACTIVE_MIN ? open() : null;
  };
  return {
    open,
    key,
    draw(nowMs) {
      const needed = draw.chance(0.5) ? need() : null;
      if (needed !== null) return needed;
      if (last !== null && draw.chance(REPEAT_SHARE)) return last;
      const word = draw.weighted(TASKS);
      switch (word) {
        case "open":
          return open();
        case "key":
          return drawKey();
        case "revoke":
          return revoke();
        case "offerPro":
          return accountTask("offer-pro", { proAccountSize: draw.pick([10_000, 50_000, 200_000]) });
        case "eliminate":
          return accountTask(word, { reason: "operator" });
        case "payouts":
          return payouts();
        case "pay":
          return pay();
        case "accounts":
        case "health":
          return createOperatorTask("GET", `/${word}`, {});
        case "promote":
          return accountTask(word, { phase: draw.pick(PHASES) });
        case "close":
          return accountTask(word, draw.chance(0.5) ? { forfeit: true } : {});
        case "provision":
          return accountTask(word);
        case "split":
        case "dividend":
        case "actions":
        case "cancelAction":
        case "funding":
        case "withdraw":
        case "halt":
        case "auto":
        case "use":
        case "effect":
        case "prices":
          return priceTask(word, nowMs);
      }
    },
  };
}
