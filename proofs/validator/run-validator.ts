import { setTimeout } from "node:timers/promises";
import { createSeededChance } from "../../packages/base/src/random.ts";
import { builtProgramPath } from "../../test/environment/built-program.ts";
import { TEST_MAX_MS } from "../../test/environment/test-max-ms.ts";
import { type StandInProcess, startStandInProcess } from "../../test/stand-in-process.ts";
import {
  createRunChoices,
  type DrawnOrder,
  type PendingOrder,
  type RunChoices,
} from "./draw-orders.ts";
import { type GatewayProxy, openGatewayProxy } from "./gateway-proxy.ts";
import { inspectValidator, type PlacedOrder, type ValidatorFindings } from "./inspect-validator.ts";
import { openServiceNodes, type ServiceNodes } from "./service-nodes.ts";
import { readChangeableItems } from "./stand-in-account.ts";
import {
  canShowFault,
  LATEST_WORK_MS,
  OTHER_FAULTS,
  orderOfFaults,
  submitFaults,
} from "./submit-faults.ts";
import {
  isFinalReceipt,
  type LinkedTrader,
  openLinkedTrader,
  placeOrder,
  type ReceiptFate,
  readAccountList,
  readReceipt,
} from "./trader.ts";

export interface ValidatorResult extends ValidatorFindings {
  readonly seed: string;
  readonly orders: number;
  readonly kills: number;
  readonly nodes: number;
  /** The number of orders under way in a killed node whose fate another node found while that node was dead. */
  readonly finishedByOthers: number;
  readonly faults: number;
  readonly faultKinds: number;
  /** The number of orders for which each fault was prepared. */
  readonly drawn: Readonly<Record<string, number>>;
}

interface Plan {
  readonly orders: number;
  readonly kills: number;
  readonly seed: string;
  /**
   * The number of nodes. Several nodes share a PostgreSQL database; a single node may have the embedded database
   * instead.
   */
  readonly nodes: number;
  readonly databaseUrl: string | null;
  readonly onOrder?: (count: number) => void;
}

const ORDERS_PER_TRADER = 40;
const TRADERS_MIN = 6;
/** How long the service waits for an answer to an order; 60 s in production. */
const ORDER_TIMEOUT_MS = 1_500;
const INTERRUPTION_MS = 300;
const PAUSE_MIN_MS = 125;
const PAUSE_MAX_MS = 1_000;
const BETWEEN_RECEIPTS_MS = 200;
/**
 * The time after which an order that the validator does not have can no longer arrive: the validator's latest work,
 * plus the longest wait until the service reads again.
 */
const LOST_AFTER_MS = LATEST_WORK_MS + 4_000;
const PAIRS = ["BTCUSDC", "ETHUSDC", "SOLUSDC", "XRPUSDC", "DOGEUSDC"];
const PRICE = { bid: 1_000, ask: 1_000 };
const PROGRAM = builtProgramPath("proofs/validator/service-process.ts");
const FAULTS = submitFaults(ORDER_TIMEOUT_MS);

/**
 * Places orders of linked accounts while their exchanges with the gateway fail, and kills the service meanwhile. Then
 * waits until every receipt is final, and compares receipts and reads with the validator.
 */
export async function runValidator(plan: Plan): Promise<ValidatorResult> {
  const standIn = await startStandInProcess();
  const { control } = standIn;
  await control.setPrices(Object.fromEntries(PAIRS.map((pair) => [pair, PRICE])));
  const gateway = await openGatewayProxy(standIn.gatewayUrl);
  const draw = createRunChoices(createSeededChance(plan.seed), orderOfFaults(Object.keys(FAULTS)));
  const nodes = await openServiceNodes({
    count: plan.nodes,
    serverUrl: plan.databaseUrl,
    program: [PROGRAM, String(ORDER_TIMEOUT_MS)],
    settings: { ...standIn.settings, PROPGATE_GATEWAY_URL: gateway.url },
  });
  try {
    const count = Math.max(TRADERS_MIN, Math.ceil(plan.orders / ORDERS_PER_TRADER));
    const traders: LinkedTrader[] = [];
    for (let made = 0; made < count; made += 1) {
      const { hotkey, number } = await control.addSubaccount({});
      const one = await openLinkedTrader(nodes.first, nodes.operatorToken, hotkey);
      traders.push({ ...one, number });
    }
    for (const rule of OTHER_FAULTS) await control.addFault(rule);
    const drawn = new Map<string, number>();
    const placed: PlacedOrder[] = [];
    const given = { plan, draw, traders, nodes, gateway, standIn, drawn, placed };
    const finishedByOthers = await trade(given);
    await control.clearFaults();
    const findings = await inspectValidator({
      placed,
      traders,
      standIn,
      sent: gateway.sent,
      port: nodes.port(),
    });
    return {
      seed: plan.seed,
      orders: placed.length,
      kills: plan.kills,
      nodes: plan.nodes,
      finishedByOthers,
      faults: [...drawn.values()].reduce((sum, one) => sum + one, 0),
      faultKinds: drawn.size,
      drawn: Object.fromEntries(drawn),
      ...findings,
    };
  } finally {
    await nodes.close();
    await gateway.close();
    await standIn.stop();
  }
}

interface Trading {
  readonly plan: Plan;
  readonly draw: RunChoices;
  readonly traders: readonly LinkedTrader[];
  readonly nodes: ServiceNodes;
  readonly gateway: GatewayProxy;
  readonly standIn: StandInProcess;
  readonly drawn: Map<string, number>;
  readonly placed: PlacedOrder[];
}

/**
 * Lets every trader place one order after the other, and kills a node at even intervals. Resolves with the number of
 * orders that a killed node left unfinished and another node finished.
 */
async function trade(given: Trading): Promise<number> {
  const { plan, traders, placed } = given;
  const killEvery = Math.floor(plan.orders / (plan.kills + 1));
  let begun = 0;
  let kills = 0;
  let finished = 0;
  let isUp = Promise.resolve();
  const mayBegin = (): boolean => {
    if (begun >= plan.orders) return false;
    begun += 1;
    plan.onOrder?.(begun);
    if (kills < plan.kills && begun > (kills + 1) * killEvery) {
      const index = kills % plan.nodes;
      kills += 1;
      isUp = isUp.then(async () => {
        finished += await killNode(given, index);
      });
    }
    return true;
  };
  await Promise.all(
    traders.map(async (trader, index) => {
      const turn: Turn = {
        ...given,
        trader,
        pending: [],
        open: [],
        nextPair: createPairRotation(index),
        isFaultLeft: false,
      };
      let pauseMs = PAUSE_MIN_MS;
      while (mayBegin()) {
        const one = await placeOne(turn);
        placed.push(one);
        // Another order replaces one that the service did not send, because an order that is not sent tests little.
        if (one.isDown) begun -= 1;
        if (plan.nodes === 1) await isUp;
        // The service pauses its calls to a failing gateway. The client then waits longer each time.
        pauseMs = one.isDown ? Math.min(2 * pauseMs, PAUSE_MAX_MS) : PAUSE_MIN_MS;
        if (one.isDown) await setTimeout(pauseMs);
      }
    }),
  );
  await isUp;
  return finished;
}

/**
 * Kills a node and starts it again. When there are other nodes, the killed one stays dead until they have found the
 * fate of every order that it left unfinished. Resolves with the number of these orders that had arrived at the
 * service.
 */
async function killNode({ nodes, placed }: Trading, index: number): Promise<number> {
  // After this wait the most recent orders are on their way.
  await setTimeout(50);
  const killedAtMs = Date.now();
  await nodes.kill(index);
  let finished = 0;
  if (nodes.count > 1) {
    // After this wait the clients of the dead node have noticed its end.
    await setTimeout(BETWEEN_RECEIPTS_MS);
    const left = placed.filter(
      ({ node, status, endedAtMs }) => node === index && status === null && endedAtMs >= killedAtMs,
    );
    for (const { trader, nonce } of left) {
      const { fate } = await finalReceipt(nodes, trader, nonce);
      if (fate !== "unseen") finished += 1;
    }
  }
  await nodes.start(index);
  return finished;
}

/**
 * Reads a receipt until no event can change its fate. An order that the validator does not have after `LOST_AFTER_MS`
 * has not reached it, and its receipt stays pending. @throws when the receipt cannot be read
 */
async function finalReceipt(
  nodes: ServiceNodes,
  trader: LinkedTrader,
  nonce: string,
): Promise<ReceiptFate> {
  const giveUpAtMs = Date.now() + TEST_MAX_MS;
  const lostAtMs = Date.now() + LOST_AFTER_MS;
  while (Date.now() < giveUpAtMs) {
    const readNonce = `wait-${crypto.randomUUID()}`;
    const receipt = await readReceipt(nodes.port(), trader, { nonce, readNonce });
    if (receipt !== null && (isFinalReceipt(receipt) || Date.now() > lostAtMs)) return receipt;
    await setTimeout(BETWEEN_RECEIPTS_MS);
  }
  throw new Error(`the receipt of ${nonce} cannot be read`);
}

/**
 * Creates a function that returns one pair after the other, again and again. A pair's cooldown at the validator is over
 * when the function returns the pair again.
 */
function createPairRotation(start: number): () => string {
  let at = start;
  return () => {
    at += 1;
    return PAIRS[at % PAIRS.length] ?? "";
  };
}

interface Turn extends Trading {
  readonly trader: LinkedTrader;
  /** Pending orders that were accepted and that no other order has named. */
  readonly pending: PendingOrder[];
  /** The nonces of orders whose fate may still change. */
  readonly open: string[];
  readonly nextPair: () => string;
  /**
   * True when an order was not sent or got no answer although a fault for orders with their own id was prepared. The
   * fault stays prepared, so the trader's next order has its own id too.
   */
  isFaultLeft: boolean;
}

async function placeOne(turn: Turn): Promise<PlacedOrder> {
  const { draw, trader, nodes, pending, standIn } = turn;
  const pair = turn.nextPair();
  const holdings = { pair, pending, positions: () => openPositions(turn) };
  const order = turn.isFaultLeft ? draw.entry(pair) : await draw.order(holdings);
  const { trade: body, lookup, pendingKind } = order;
  const fault = draw.fault(order);
  const nonce = draw.nonce();
  // The effect of an act shows only in the account, so no other order may change the account meanwhile.
  if (lookup.kind === "act") await settleOpen(turn);
  if (fault === "filledUnseen") await fillUnseen(turn, lookup);
  const before =
    lookup.kind === "act" ? await readChangeableItems(standIn, trader.subaccount) : null;
  await prepareFault(turn, fault);
  const node = nodes.next();
  const beganAtMs = Date.now();
  const reply = await placeOrder(nodes.portOf(node), trader, { trade: body, nonce });
  const status = reply?.status ?? null;
  if (reply?.status === 200 && pendingKind !== null) {
    const { data } = reply.json() as { readonly data: { readonly order_uuid: string } };
    pending.push({ orderUuid: data.order_uuid, pair, kind: pendingKind });
  }
  const isDown = reply?.status === 500 && reply.text.includes("was not accepted");
  if (status === null || status === 500) turn.open.push(nonce);
  if ((isDown || status === null) && fault !== null && !canShowFault(fault, true))
    turn.isFaultLeft = true;
  if (lookup.kind === "act") await settleOpen(turn);
  const after =
    lookup.kind === "act" ? await readChangeableItems(standIn, trader.subaccount) : null;
  const endedAtMs = Date.now();
  const when = { beganAtMs, endedAtMs };
  return { ...when, trader, pair, lookup, before, after, node, fault, nonce, status, isDown };
}

/** Fills an entry at the validator after the service's last reading: one that the act names, or the oldest one. */
async function fillUnseen({ standIn, trader }: Turn, lookup: DrawnOrder["lookup"]): Promise<void> {
  const named = lookup.kind === "act" ? lookup.target.split(",") : [];
  await standIn.control.fillByItself(trader.subaccount, named);
}

async function settleOpen({ nodes, trader, open }: Turn): Promise<void> {
  for (const nonce of open.splice(0)) await finalReceipt(nodes, trader, nonce);
}

async function openPositions({ nodes, trader }: Turn): Promise<readonly string[]> {
  const list = await readAccountList(nodes.port(), trader, "positions");
  return (list ?? []).map(({ positionUuid }) => String(positionUuid));
}

/** Prepares a fault, which strikes the next order of the trader's subaccount. */
async function prepareFault(turn: Turn, name: string | null): Promise<void> {
  if (name === null) return;
  const { standIn, gateway, trader, drawn } = turn;
  drawn.set(name, (drawn.get(name) ?? 0) + 1);
  const fault = FAULTS[name] ?? null;
  if (name === "interrupted") void gateway.interrupt(INTERRUPTION_MS);
  if (fault !== null)
    await standIn.control.addFault({ call: "submit", hotkey: trader.subaccount, times: 1, fault });
}
