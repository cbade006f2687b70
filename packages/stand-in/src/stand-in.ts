import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, machineClock, wait } from "./clock.ts";
import type { StandInControl } from "./control/control.ts";
import { openControl } from "./control/open-control.ts";
import { CONTROL_CALLS } from "./control/remote-control.ts";
import { errorAnswer, type HttpAnswer, readBody, sendAnswer } from "./http/answer.ts";
import { createFaultPlan, type Fault, type FaultRecord } from "./http/faults.ts";
import { createHeldCalls } from "./http/held-calls.ts";
import { answerRoute, type Route, routeOf } from "./http/routes.ts";
import { emptyNetworkState, type NetworkState } from "./network/state.ts";

/** The options of a stand-in; every field has a default. */
export interface StandInOptions {
  /** The hotkey of the entity; its subaccounts are `<entity>_0`, `<entity>_1` and so on. */
  readonly entity?: string;
  readonly host?: string;
  /** The ports of the two listeners. 0 takes a free port. */
  readonly validatorPort?: number;
  readonly gatewayPort?: number;
  readonly keys?: { readonly validator: string; readonly gateway: string };
  /** Milliseconds between fills on a pair of an account: 5,000 in the network, and by default 0 here. */
  readonly cooldownMs?: number;
  /** The seed of the random numbers for faults with a probability. */
  readonly seed?: number;
  readonly clock?: Clock;
  /** A file that keeps the state, read when the stand-in opens. */
  readonly stateFile?: string;
  /** True puts limits, pairs and payouts into `data`. The network's reference leaves that open. */
  readonly wrapsData?: boolean;
}

/** A running stand-in, with its addresses, its keys and its controls. */
export interface StandIn {
  readonly validatorUrl: string;
  readonly gatewayUrl: string;
  /** The URL of the controls over HTTP, on the validator's listener. `createRemoteControl` uses it. */
  readonly controlUrl: string;
  readonly keys: { readonly validator: string; readonly gateway: string };
  readonly entity: string;
  readonly control: StandInControl;
  close(): Promise<void>;
}

const DEFAULT_KEYS = { validator: "stand-in-validator-key", gateway: "stand-in-gateway-key" };
/** The entity's hotkey, which is its id at the validator: 48 base58 characters, like a real one. */
const DEFAULT_ENTITY = "5StandinEntity".padEnd(48, "1");
const FULL_TIER = 200;

/** Opens a stand-in with a listener for the validator and one for the gateway. */
export async function openStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const running = createRunning(options);
  const { host = "127.0.0.1", keys = DEFAULT_KEYS } = options;
  const validator = createListener(running, "validator");
  const gateway = createListener(running, "gateway");
  const validatorUrl = await listen(validator, host, options.validatorPort ?? 0);
  const gatewayUrl = await listen(gateway, host, options.gatewayPort ?? 0);
  return {
    validatorUrl,
    gatewayUrl,
    controlUrl: `${validatorUrl}/control`,
    keys,
    entity: running.state.entity,
    control: running.control,
    close: async () => {
      await Promise.all([validator, gateway].map(closeServer));
    },
  };
}

type Running = ReturnType<typeof createRunning>;

function createRunning(options: StandInOptions) {
  const { clock = machineClock, keys = DEFAULT_KEYS, stateFile } = options;
  const state = loadState(options);
  let aheadMs = 0;
  const faults: FaultRecord[] = [];
  const calls: Record<string, number> = {};
  const running = {
    state,
    faults,
    calls,
    wrapsData: options.wrapsData ?? false,
    plan: createFaultPlan(options.seed ?? 1),
    held: createHeldCalls(),
    keys: {
      validator: new Map([[keys.validator, FULL_TIER]]),
      gateway: new Map([[keys.gateway, FULL_TIER]]),
    },
    now: () => clock.now() + aheadMs,
    advance: (ms: number) => {
      aheadMs += ms;
    },
    save: () => {
      if (stateFile === undefined) return;
      writeFileSync(`${stateFile}.new`, JSON.stringify(state));
      renameSync(`${stateFile}.new`, stateFile);
    },
  };
  return { ...running, control: openControl(running) };
}

function loadState({
  entity = DEFAULT_ENTITY,
  cooldownMs = 0,
  stateFile,
}: StandInOptions): NetworkState {
  if (stateFile === undefined || !existsSync(stateFile))
    return emptyNetworkState(entity, cooldownMs);
  const kept: NetworkState = JSON.parse(readFileSync(stateFile, "utf8"));
  return kept;
}

/**
 * How long an idle connection is kept. It is long, because a busy client may send its next request on the connection
 * many seconds later.
 */
const KEEP_ALIVE_MS = 75_000;

function createListener(running: Running, part: "validator" | "gateway"): Server {
  return createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    answer(running, part, request, response).catch((error: unknown) => {
      // A broken request must not end the process; the client sees a 500.
      if (!response.headersSent) response.writeHead(500);
      response.end(JSON.stringify({ error: String(error) }));
    });
  });
}

async function answer(
  running: Running,
  part: "validator" | "gateway",
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  const path = request.url ?? "/";
  if (part === "validator" && path.startsWith("/control/")) {
    return sendAnswer(response, await runControlCall(running, path, body), []);
  }
  const route = routeOf(request, body, running.state.entity);
  if (route === null || (part === "gateway") !== isGatewayRoute(route)) {
    return sendAnswer(response, errorAnswer(404, "Not found"), []);
  }
  running.calls[route.call] = (running.calls[route.call] ?? 0) + 1;
  const refused = keyRefusal(running.keys[part], request, route);
  if (refused !== null) return sendAnswer(response, refused, []);
  const faults = faultsOf(running, route);
  await waitForFaults(running, route, faults);
  if (faults.some((one) => one.kind === "cut" && one.when === "before")) {
    response.socket?.destroy();
    return;
  }
  const isIdle = faults.some((one) => one.kind === "answer" && one.when === "before");
  if (isIdle || faults.some((one) => one.kind === "error500" && one.when === "before")) {
    return sendAnswer(response, errorAnswer(500, "Internal server error"), faults);
  }
  const result = answerAfterWork(answerRoute(running, route, faults), route, faults);
  if (isHeld(faults, "after")) await running.held.wait(route.hotkey);
  return sendAnswer(response, result, faults);
}

async function waitForFaults(
  { held }: Running,
  { hotkey }: Route,
  faults: readonly Fault[],
): Promise<void> {
  for (const fault of faults) {
    if (fault.kind === "slow" && fault.beforeMs !== undefined) await wait(fault.beforeMs);
  }
  if (isHeld(faults, "before")) await held.wait(hotkey);
}

function isHeld(faults: readonly Fault[], when: "before" | "after"): boolean {
  return faults.some((fault) => fault.kind === "held" && fault.when === when);
}

/** The answer after the validator's work. A fault can make it a 500, although the work was done. */
function answerAfterWork(
  result: HttpAnswer,
  { call }: Route,
  faults: readonly Fault[],
): HttpAnswer {
  if (!faults.some((one) => one.kind === "error500" && one.when === "after")) return result;
  const error = "Internal error while processing the order";
  if (call !== "submit") return errorAnswer(500, error);
  const { body } = result;
  const uuid =
    typeof body === "object" && body !== null && "order_uuid" in body ? body.order_uuid : null;
  return { status: 500, body: { success: false, order_uuid: uuid, error } };
}

function isGatewayRoute({ call }: Route): boolean {
  return call === "submit" || call === "status" || call === "health";
}

/**
 * The refusal of a request by its key: 401 without a known key, 403 when its tier is too low. Null when the key
 * suffices, and for health, which needs none.
 */
function keyRefusal(
  keys: ReadonlyMap<string, number>,
  { headers }: IncomingMessage,
  route: Route,
): HttpAnswer | null {
  if (route.call === "health") return null;
  const key = (headers.authorization ?? "").replace(/^Bearer /, "");
  const tier = keys.get(key);
  if (tier === undefined) return errorAnswer(401, "Unauthorized access");
  return tier < route.tier ? errorAnswer(403, "Your API key lacks the tier for this call") : null;
}

function faultsOf(running: Running, route: Route): readonly Fault[] {
  const type = route.body?.execution_type;
  const seen = {
    call: route.call,
    hotkey: route.hotkey,
    executionType: typeof type === "string" ? type.toUpperCase() : null,
  };
  const faults = running.plan.next(seen);
  for (const fault of faults) running.faults.push({ ...seen, fault, orderUuid: route.orderUuid });
  return faults;
}

/** Runs a control call. An error of the call is answered with 400 and its text. */
async function runControlCall(
  { control }: Running,
  path: string,
  body: Readonly<Record<string, unknown>> | null,
): Promise<HttpAnswer> {
  const name = CONTROL_CALLS.find((one) => path === `/control/${one}`);
  if (name === undefined) return errorAnswer(404, `No control call ${path}`);
  const given: readonly unknown[] = Array.isArray(body?.given) ? body.given : [];
  try {
    const call = control[name] as (...values: readonly unknown[]) => Promise<unknown>;
    return { status: 200, body: { value: await call(...given) } };
  } catch (error) {
    return errorAnswer(400, error instanceof Error ? error.message : String(error));
  }
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return `http://${host}:${address.port}`;
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
