import type { Quote, QuoteMap } from "@propgate/core";
import { unixMs } from "@propgate/core";
import inject from "light-my-request";
import { pino } from "pino";
import { parseMasterKeys } from "../../packages/server/src/access/keys/master-key.ts";
import type { Clock, Stopwatch } from "../../packages/server/src/base/clock.ts";
import type { Log } from "../../packages/server/src/base/log.ts";
import { createSeededChance } from "../../packages/server/src/base/random.ts";
import type { Transport } from "../../packages/server/src/base/transport/transport.ts";
import type { Catalogue } from "../../packages/server/src/catalogue/catalogue.ts";
import { keepPrograms } from "../../packages/server/src/catalogue/program-desk.ts";
import type { ProgramFile } from "../../packages/server/src/catalogue/programs.ts";
import {
  createSharedBus,
  type SharedBus,
} from "../../packages/server/src/prices/bus/shared-bus.ts";
import { boardCandles } from "../../packages/server/src/prices/candles/memory-candles.ts";
import { createQuoteBoard, type QuoteBoard } from "../../packages/server/src/prices/quote-board.ts";
import { createQuoteIntake } from "../../packages/server/src/prices/quotes/quote-intake.ts";
import { OUTLIERS } from "../../packages/server/src/start/live-prices.ts";
import { type ComposedService, composeService } from "../../packages/server/src/start/service.ts";
import type { Database } from "../../packages/server/src/storage/databases/database.ts";
import { createQuoteStore } from "../../packages/server/src/storage/stores/quote-store.ts";
import {
  NETWORK_TIMEOUT_MS,
  OPERATOR_TOKEN,
  TEST_MASTER_KEY,
} from "../../packages/server/src/testing/harness.ts";
import { upgradeStates } from "../../packages/server/src/trading/journal/state-format.ts";
import { FEED_EPOCH, INSTALLATION } from "./bus/simulated-feed.ts";
import type { Life, SharedDatabase } from "./shared-database.ts";

export interface NodeRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface NodeAnswer {
  readonly status: number;
  readonly text: string;
}

/** One process of the service on the shared database. It starts, dies and starts again. */
export interface SimulatedNode {
  readonly index: number;
  /** The difference of its clock from the world's. */
  skewMs: number;
  /** Null while it is down. */
  readonly life: Life | null;
  /** True while it accepts requests. */
  readonly isUp: boolean;
  /** True while it starts or runs housekeeping. */
  readonly isBusy: boolean;
  /** Its newest quotes; null unless it is up. */
  readonly quotes: QuoteMap | null;
  start(): void;
  /** Ends the process immediately. Its unfinished work never completes. */
  die(): Promise<void>;
  /** The answer; null when the connection broke. */
  serve(request: NodeRequest): Promise<NodeAnswer | null>;
  /** Runs the work that the service does once a second. */
  runHousekeeping(): void;
  /** Resolves when all effects of prices and commands are done. */
  settled(): Promise<void>;
}

export interface NodeNeeds {
  readonly index: number;
  readonly seed: string;
  readonly shared: SharedDatabase;
  readonly worldMs: () => number;
  readonly steadyClock: Stopwatch;
  readonly connect: (life: Life) => Transport;
  readonly catalogue: Catalogue;
  readonly programs: ProgramFile;
  /** Called for an error of the service; the world decides whether it was expected. */
  readonly onFault: (what: string, cause: unknown) => void;
  readonly onStarted: (node: number) => void;
  /** Called for each quote that the node gets, in order. */
  readonly onQuote: (quote: Quote) => void;
}

/** The service's defaults. */
const ACCOUNTS_PER_OWNER = 5;

interface Running {
  readonly service: ComposedService;
  readonly board: QuoteBoard;
  readonly bus: SharedBus;
  readonly database: Database;
}

export function createSimulatedNode(need: NodeNeeds): SimulatedNode {
  let life: Life | null = null;
  let running: Running | null = null;
  let starts = 0;
  let jobs = 0;
  const clock: Clock = { now: () => unixMs(Math.round(need.worldMs() + node.skewMs)) };

  /** Runs background work. Errors of a life that has ended are ignored. */
  const job = (what: string, work: () => Promise<void>): void => {
    const thisLife = life;
    jobs += 1;
    work()
      .catch((cause: unknown) => {
        if (life === thisLife) need.onFault(what, cause);
      })
      .finally(() => {
        if (life === thisLife) jobs -= 1;
      });
  };
  const end = (): void => {
    life = null;
    running = null;
    jobs = 0;
  };
  const boot = async (thisLife: Life): Promise<void> => {
    try {
      const made = await compose(need, { life: thisLife, clock, start: starts });
      if (life !== thisLife) return;
      running = made;
      need.onStarted(need.index);
    } catch (cause) {
      if (life === thisLife) end();
      need.onFault("start", cause);
    }
  };

  const node: SimulatedNode = {
    index: need.index,
    skewMs: 0,
    get life() {
      return life;
    },
    get isUp() {
      return running !== null;
    },
    get isBusy() {
      return jobs > 0;
    },
    get quotes() {
      return running?.board.quotes ?? null;
    },
    start() {
      if (life !== null) return;
      const thisLife: Life = { node: need.index, hangs: false };
      life = thisLife;
      starts += 1;
      job("start", () => boot(thisLife));
    },
    async die() {
      const thisLife = life;
      end();
      if (thisLife !== null) await need.shared.abandon(thisLife);
    },
    async serve({ method, target, headers, body }) {
      if (running === null) return null;
      const payload = body === "" ? {} : { payload: body };
      try {
        // Emits the request on the listener, as a socket does, so that the edge handles it first.
        const { server } = running.service.app;
        const { statusCode, payload: text } = await inject(
          (message, response) => server.emit("request", message, response),
          { method, url: target, headers, ...payload },
        );
        return { status: statusCode, text };
      } catch (cause) {
        need.onFault("connection", cause);
        return null;
      }
    },
    runHousekeeping() {
      if (running !== null) job("housekeeping", housekeeping(running));
    },
    async settled() {
      await running?.service.engine.market.settled();
      await running?.service.engine.executor.idle();
    },
  };
  return node;
}

/** The work that `start-service.ts` runs on a timer. */
function housekeeping({ service, board, bus, database }: Running): () => Promise<void> {
  const { engine } = service;
  return async () => {
    bus.tick();
    await service.storage.probe();
    await engine.due.runDue();
    await engine.followOthers();
    await engine.market.sweep();
    await board.save(createQuoteStore(database));
  };
}

async function compose(
  need: NodeNeeds,
  given: { readonly life: Life; readonly clock: Clock; readonly start: number },
): Promise<Running> {
  const { clock } = given;
  const { catalogue } = need;
  const database = need.shared.connect(given.life);
  const log = errorLog((what, cause) => need.onFault(what, cause));
  const board = createQuoteBoard();
  const chance = createSeededChance(`${need.seed}:${need.index}:${given.start}`);
  const bus = createSharedBus({
    transport: need.connect(given.life),
    installation: INSTALLATION,
    node: chance.uuid(),
    instruments: catalogue.instruments,
    clock,
    steadyClock: need.steadyClock,
    feedEpoch: async () => FEED_EPOCH,
    log,
  });
  const intake = createQuoteIntake({
    epoch: 0,
    instruments: catalogue.instruments,
    outliers: OUTLIERS,
    bus,
    known: board.quotes,
  });
  await board.restore(createQuoteStore(database), clock.now());
  await keepPrograms(need.programs, { database, clock });
  await upgradeStates({ database, instruments: catalogue.instruments, log });
  const service = composeService({
    database,
    clock,
    board,
    candles: boardCandles(board),
    intake,
    catalogue,
    log,
    chance,
    masterKeys: parseMasterKeys(TEST_MASTER_KEY),
    operatorToken: OPERATOR_TOKEN,
    brand: "Service",
    networkName: "Propgate",
    accountsPerOwner: ACCOUNTS_PER_OWNER,
    // No timeout fires: a request that hangs is lost with its node.
    timer: { after: () => () => undefined },
    networkTimeoutMs: NETWORK_TIMEOUT_MS,
    prices: { name: "simulation", warnings: () => [] },
  });
  await service.engine.restore();
  bus.subscribe((quote) => {
    need.onQuote(quote);
    service.engine.market.push(quote);
  });
  await service.app.ready();
  return { service, board, bus, database };
}

/** Pino's number for `error`. */
const ERROR_LEVEL = 50;

/** A log that writes nothing and reports every error with its cause. */
export function errorLog(report: (what: string, cause: unknown) => void): Log {
  return pino({
    level: "error",
    base: null,
    hooks: {
      logMethod([fields, text]: readonly unknown[], _write, level) {
        // Calls of the operator are logged at every level.
        if (level < ERROR_LEVEL) return;
        const cause =
          typeof fields === "object" && fields !== null && "err" in fields ? fields.err : fields;
        report(String(text), cause);
      },
    },
  });
}
