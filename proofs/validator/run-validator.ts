import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createSeededChance } from "../../packages/server/src/base/random.ts";
import { type StandInProcess, startStandIn } from "../../test/stand-in-process.ts";
import { freshCredentials } from "../kills/kill-harness.ts";
import { freePort } from "../kills/run-kills.ts";
import { Victim } from "../kills/victim.ts";
import { type Drawing, drawing, type PendingLimit } from "./draw-orders.ts";
import { type GatewayLine, openGatewayLine } from "./gateway-line.ts";
import { type Findings, inspect, type Placed } from "./inspect-validator.ts";
import { OTHER_FAULTS, submitFaults } from "./submit-faults.ts";
import { openLinkedTrader, placeOrder, type Trader } from "./trader.ts";

export interface ValidatorRun extends Findings {
  readonly seed: string;
  readonly orders: number;
  readonly kills: number;
  readonly faults: number;
  readonly faultKinds: number;
  /** How many orders were to meet each fault. */
  readonly drawn: Readonly<Record<string, number>>;
}

interface Plan {
  readonly orders: number;
  readonly kills: number;
  readonly seed: string;
  readonly onOrder?: (count: number) => void;
}

const ORDERS_PER_TRADER = 40;
const TRADERS_MIN = 6;
/** The service waits this long for an answer to an order; 60 s in production. */
const ORDER_TIMEOUT_MS = 1_500;
const INTERRUPTION_MS = 300;
const PAUSE_MIN_MS = 125;
const PAUSE_MAX_MS = 1_000;
const PAIRS = ["BTCUSDC", "ETHUSDC", "SOLUSDC", "XRPUSDC", "DOGEUSDC"];
const PRICE = { bid: 1_000, ask: 1_000 };
const PROGRAM = "proofs/validator/service-process.ts";
const FAULTS = submitFaults(ORDER_TIMEOUT_MS);

/**
 * Places orders of linked accounts while their exchanges with the gateway fail, kills the service among
 * them, waits until every receipt is final, and compares receipts and reads with the validator.
 */
export async function runValidator(plan: Plan): Promise<ValidatorRun> {
  const folder = await mkdtemp(join(tmpdir(), "propgate-validator-"));
  const standIn = await startStandIn();
  const { control } = standIn;
  await control.setPrices(Object.fromEntries(PAIRS.map((pair) => [pair, PRICE])));
  const gateway = await openGatewayLine(standIn.gatewayUrl);
  const draw = drawing(createSeededChance(plan.seed), Object.keys(FAULTS));
  const credentials = freshCredentials();
  const port = await freePort();
  const victim = new Victim({
    port,
    dataDir: join(folder, "data"),
    databaseUrl: null,
    ...credentials,
    program: [PROGRAM, String(ORDER_TIMEOUT_MS)],
    settings: { ...standIn.settings, PROPGATE_GATEWAY_URL: gateway.url },
  });
  try {
    await victim.start();
    const count = Math.max(TRADERS_MIN, Math.ceil(plan.orders / ORDERS_PER_TRADER));
    const traders: Trader[] = [];
    for (let made = 0; made < count; made += 1) {
      const { hotkey } = await control.addSubaccount({});
      traders.push(await openLinkedTrader(victim, credentials.operatorToken, hotkey));
    }
    for (const rule of OTHER_FAULTS) await control.addFault(rule);
    const drawn = new Map<string, number>();
    const placed = await trade({ plan, draw, traders, victim, gateway, standIn, drawn });
    await control.clearFaults();
    const findings = await inspect({ placed, traders, standIn, sent: gateway.sent, port });
    return {
      seed: plan.seed,
      orders: placed.length,
      kills: plan.kills,
      faults: [...drawn.values()].reduce((sum, one) => sum + one, 0),
      faultKinds: drawn.size,
      drawn: Object.fromEntries(drawn),
      ...findings,
    };
  } finally {
    await victim.kill();
    await gateway.close();
    await standIn.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Trading {
  readonly plan: Plan;
  readonly draw: Drawing;
  readonly traders: readonly Trader[];
  readonly victim: Victim;
  readonly gateway: GatewayLine;
  readonly standIn: StandInProcess;
  readonly drawn: Map<string, number>;
}

/** Every trader places one order after the other; the service is killed at even distances. */
async function trade(given: Trading): Promise<readonly Placed[]> {
  const { plan, traders, victim } = given;
  const placed: Placed[] = [];
  const killEvery = Math.floor(plan.orders / (plan.kills + 1));
  let begun = 0;
  let kills = 0;
  let isUp = Promise.resolve();
  const mayBegin = (): boolean => {
    if (begun >= plan.orders) return false;
    begun += 1;
    plan.onOrder?.(begun);
    if (kills < plan.kills && begun > (kills + 1) * killEvery) {
      kills += 1;
      isUp = restart(victim);
    }
    return true;
  };
  await Promise.all(
    traders.map(async (trader, index) => {
      const turn = { ...given, trader, pending: [], nextPair: rotation(index) };
      let pauseMs = PAUSE_MIN_MS;
      while (mayBegin()) {
        const one = await placeOne(turn);
        placed.push(one);
        // An order that the service did not send proves little, so another one takes its place.
        if (one.isDown) begun -= 1;
        await isUp;
        // The service pauses its calls to a failing gateway, and a client then waits longer each time.
        pauseMs = one.isDown ? Math.min(2 * pauseMs, PAUSE_MAX_MS) : PAUSE_MIN_MS;
        if (one.isDown) await setTimeout(pauseMs);
      }
    }),
  );
  return placed;
}

async function restart(victim: Victim): Promise<void> {
  // So that the orders that began last are on their way.
  await setTimeout(50);
  await victim.kill();
  await victim.start();
}

/** The pairs in turn, so that the validator's cooldown of a pair is over when its turn comes again. */
function rotation(start: number): () => string {
  let at = start;
  return () => {
    at += 1;
    return PAIRS[at % PAIRS.length] ?? "";
  };
}

interface Turn extends Trading {
  readonly trader: Trader;
  /** Limit orders that were accepted and that no edit or cancel has named. */
  readonly pending: PendingLimit[];
  readonly nextPair: () => string;
}

async function placeOne(turn: Turn): Promise<Placed> {
  const { draw, trader, victim, pending } = turn;
  const fault = draw.fault();
  await prepareFault(turn, fault);
  const pair = turn.nextPair();
  const { trade: body, mark } = draw.order(pair, pending[0] ?? null);
  if (mark.kind === "edit" || mark.kind === "cancel") pending.shift();
  const nonce = draw.nonce();
  const port = Number(new URL(victim.baseUrl).port);
  const reply = await placeOrder(port, trader, { trade: body, nonce });
  if (reply?.status === 200 && mark.kind === "limit") {
    const { data } = reply.json() as { readonly data: { readonly order_uuid: string } };
    pending.push({ orderUuid: data.order_uuid, pair });
  }
  const isDown = reply?.status === 500 && reply.text.includes("was not accepted");
  return { trader, pair, mark, fault, nonce, status: reply?.status ?? null, isDown };
}

/** The fault waits for the next order of this trader's subaccount. */
async function prepareFault(turn: Turn, name: string | null): Promise<void> {
  if (name === null) return;
  const { standIn, gateway, trader, drawn } = turn;
  drawn.set(name, (drawn.get(name) ?? 0) + 1);
  const fault = FAULTS[name] ?? null;
  if (fault === null) void gateway.interrupt(INTERRUPTION_MS);
  else
    await standIn.control.addFault({ call: "submit", hotkey: trader.subaccount, times: 1, fault });
}
