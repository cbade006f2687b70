import type { Quote, Quotes } from "@propgate/core";
import { unixMs } from "@propgate/core";
import inject from "light-my-request";
import { pino } from "pino";
import { parseMasterKeys } from "../../packages/server/src/access/keys/master-key.ts";
import type { Clock } from "../../packages/server/src/base/clock.ts";
import type { Log } from "../../packages/server/src/base/log.ts";
import { createSeededChance } from "../../packages/server/src/base/random.ts";
import type { Catalogue } from "../../packages/server/src/catalogue/catalogue.ts";
import { keepPrograms } from "../../packages/server/src/catalogue/program-desk.ts";
import type { ProgramFile } from "../../packages/server/src/catalogue/programs.ts";
import { createQuoteBoard, type QuoteBoard } from "../../packages/server/src/prices/quote-board.ts";
import { type ComposedService, composeService } from "../../packages/server/src/start/service.ts";
import type { Database } from "../../packages/server/src/storage/databases/database.ts";
import { createQuoteStore } from "../../packages/server/src/storage/stores/quote-store.ts";
import {
  NETWORK_TIMEOUT_MS,
  OPERATOR_TOKEN,
  TEST_MASTER_KEY,
} from "../../packages/server/src/testing/harness.ts";
import { upgradeStates } from "../../packages/server/src/trading/journal/state-format.ts";
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

/** One process of the service: it starts, dies and starts again on the database all share. */
export interface SimulatedNode {
  readonly index: number;
  /** How far its clock is ahead of the world's. */
  skewMs: number;
  /** Null while it is down. */
  readonly life: Life | null;
  /** True once it takes requests. */
  readonly isUp: boolean;
  /** Starting, settling prices or keeping house, beside requests. */
  readonly isBusy: boolean;
  /** What its newest prices are; null unless it is up. */
  readonly quotes: Quotes | null;
  start(): void;
  /** At once and without a word; what it was doing is never heard of again. */
  die(): Promise<void>;
  /** Null: the connection broke. */
  serve(request: NodeRequest): Promise<NodeAnswer | null>;
  publish(quotes: readonly Quote[]): void;
  /** What the service does once a second. */
  keepHouse(): void;
  /** Resolves when nothing that prices or commands brought about is on its way. */
  settled(): Promise<void>;
}

export interface NodeNeeds {
  readonly index: number;
  readonly seed: string;
  readonly shared: SharedDatabase;
  readonly worldMs: () => number;
  readonly catalogue: Catalogue;
  readonly programs: ProgramFile;
  /** A fault of the service; the world says whether it is a surprise. */
  readonly onFault: (what: string, cause: unknown) => void;
  readonly onStarted: (node: number) => void;
}

/** As the service has it on live prices. */
const OUTLIERS = { moveMax: 0.2, confirmedBy: 3 };
const ACCOUNTS_PER_OWNER = 5;

interface Running {
  readonly service: ComposedService;
  readonly board: QuoteBoard;
  readonly database: Database;
}

export function createSimulatedNode(need: NodeNeeds): SimulatedNode {
  let life: Life | null = null;
  let running: Running | null = null;
  let starts = 0;
  let jobs = 0;
  const clock: Clock = { now: () => unixMs(Math.round(need.worldMs() + node.skewMs)) };

  /** Something that goes on by itself; of one that has died nothing more is heard. */
  const job = (what: string, work: () => Promise<void>): void => {
    const mine = life;
    jobs += 1;
    work()
      .catch((cause: unknown) => {
        if (life === mine) need.onFault(what, cause);
      })
      .finally(() => {
        if (life === mine) jobs -= 1;
      });
  };
  const end = (): void => {
    life = null;
    running = null;
    jobs = 0;
  };
  const boot = async (mine: Life): Promise<void> => {
    try {
      const made = await compose(need, { life: mine, clock, start: starts });
      if (life !== mine) return;
      running = made;
      need.onStarted(need.index);
    } catch (cause) {
      if (life === mine) end();
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
      const mine: Life = { node: need.index, hangs: false };
      life = mine;
      starts += 1;
      job("start", () => boot(mine));
    },
    async die() {
      const mine = life;
      end();
      if (mine !== null) await need.shared.abandon(mine);
    },
    async serve({ method, target, headers, body }) {
      if (running === null) return null;
      const payload = body === "" ? {} : { payload: body };
      try {
        // Through the listener's own events, as from a socket: the edge sees the request first.
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
    publish(quotes) {
      const { engine } = running?.service ?? {};
      if (engine !== undefined) job("prices", () => engine.market.publish(quotes));
    },
    keepHouse() {
      if (running !== null) job("housekeeping", housekeeping(running));
    },
    async settled() {
      await running?.service.engine.market.settled();
      await running?.service.engine.executor.idle();
    },
  };
  return node;
}

/** What `start-service.ts` has a timer do. */
function housekeeping({ service, board, database }: Running): () => Promise<void> {
  const { engine } = service;
  return async () => {
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
  const log = attentiveLog((what, cause) => need.onFault(what, cause));
  const board = createQuoteBoard({ outliers: OUTLIERS, instruments: catalogue.instruments });
  await board.restore(createQuoteStore(database), clock.now());
  await keepPrograms(need.programs, { database, clock });
  await upgradeStates({ database, instruments: catalogue.instruments, log });
  const service = composeService({
    ...{ database, clock, board, catalogue, log },
    chance: createSeededChance(`${need.seed}:${need.index}:${given.start}`),
    masterKeys: parseMasterKeys(TEST_MASTER_KEY),
    operatorToken: OPERATOR_TOKEN,
    brand: "Service",
    networkName: "Propgate",
    accountsPerOwner: ACCOUNTS_PER_OWNER,
    // What hangs here is lost with its node; nobody's patience ends before.
    timer: { after: () => () => undefined },
    networkTimeoutMs: NETWORK_TIMEOUT_MS,
    prices: { name: "simulation", warnings: () => [] },
  });
  await service.engine.restore();
  await service.app.ready();
  return { service, board, database };
}

/** Pino's number for `error`. */
const ERROR_LEVEL = 50;

/** A log that writes nothing and tells of every error with its cause. */
function attentiveLog(tell: (what: string, cause: unknown) => void): Log {
  return pino({
    level: "error",
    base: null,
    hooks: {
      logMethod([fields, text]: readonly unknown[], _write, level) {
        // Calls of the operator are written down whatever the level.
        if (level < ERROR_LEVEL) return;
        const cause =
          typeof fields === "object" && fields !== null && "err" in fields ? fields.err : fields;
        tell(String(text), cause);
      },
    },
  });
}
