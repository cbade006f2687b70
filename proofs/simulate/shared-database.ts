import type { Database, Queryable } from "../../packages/ledger/src/storage/databases/database.ts";
import { setStatementSender } from "./node/recorded-writes.ts";

/** The outcome of a database step, on its way to the database and back. */
export type StepOutcome =
  | "done"
  /** The step never reached the database. */
  | "failsBefore"
  /** The step was carried out, but its answer was lost. */
  | "failsAfter"
  /** The database rolled the step back because of another transaction. */
  | "rolledBack"
  /** The step never gets an answer. */
  | "hangs"
  /** The step was carried out, and its process died before the answer. */
  | "diesAfter";

/** An error that the simulation has caused. Errors that follow from it are expected. */
export class InjectedFault extends Error {
  override readonly name = "InjectedFault";
  readonly code: string;

  constructor(what: string, code = "08006") {
    super(`simulated: ${what}`);
    this.code = code;
  }
}

/** One life of a node, from a start of its process to the end. */
export interface NodeLife {
  readonly node: number;
  /** The id of the process. */
  readonly id: string;
  /** True when one of the node's steps has got no answer and never will. */
  hangs: boolean;
  /** True while its process is paused. The database continues, and its answers wait. */
  isPaused: boolean;
  /** The steady time at which the process continues. */
  pausedUntilMs: number;
  /** The answers of the database that wait for the end of the pause. */
  readonly held: (() => void)[];
}

export function createNodeLife(node: number, id: string): NodeLife {
  return { node, id, hangs: false, isPaused: false, pausedUntilMs: 0, held: [] };
}

/** The kinds of steps: a single statement, or the start, a statement, the commit or the rollback of a transaction. */
export type StepKind = "statement" | "begin" | "inside" | "commit" | "rollback";

/** A step of the database for which a node waits. */
export interface DatabaseStep {
  readonly life: NodeLife;
  readonly kind: StepKind;
  /** The first turn in which the step may run, unless every waiting step is later. */
  notBefore: number;
  /** The steady time at which the step reaches the database. */
  notBeforeMs: number;
  run(outcome: StepOutcome): Promise<void>;
}

/**
 * One database for all nodes. The run decides when each step is carried out, one at a time. A step is a statement, or
 * the start, a statement or the end of a transaction.
 */
export interface SharedDatabase {
  connect(life: NodeLife): Database;
  /** The steps that can be carried out at this moment, in the order of their requests. */
  steps(): readonly DatabaseStep[];
  /** True while the life has an open transaction. */
  isOpen(life: NodeLife): boolean;
  /** Rolls back the open transaction of a life and drops its other steps. */
  abandon(life: NodeLife): Promise<void>;
}

/** The steps of all databases that can be carried out at this moment. */
export function readyStepsOf(shared: readonly SharedDatabase[]): readonly DatabaseStep[] {
  return shared.flatMap((one) => one.steps());
}

interface StepRequest<Value> {
  readonly life: NodeLife;
  readonly kind: StepKind;
  /** The queue in which the step waits. */
  readonly queue: DatabaseStep[];
  /** Carries the step out in the real database. */
  readonly act: () => Promise<Value>;
  /** Called when the step was lost or rolled back, before its promise is rejected. */
  readonly onLost?: (cause: unknown) => Promise<void>;
}

interface OpenTransaction {
  readonly life: NodeLife;
  readonly steps: DatabaseStep[];
  rollBack(cause: unknown): Promise<void>;
}

/**
 * Matches the statements that may write a table with triggers. Only for these statements must the triggers know the
 * node that sends them.
 */
const WATCHED = /\b(?:insert into|update|delete from) (?:accounts|leases)\b/u;

/** Creates a database whose steps the run carries out in the real one. */
export function createSharedDatabase(real: Database): SharedDatabase {
  const waiting: DatabaseStep[] = [];
  let open: OpenTransaction | null = null;
  let carriedOut = 0;

  /** Creates a function that wraps a queryable. The wrapper tells the triggers which node sends each statement. */
  const sentBy = ({ id }: NodeLife): ((on: Queryable) => Queryable) => {
    const sentStep = carriedOut;
    return (on) => ({
      async query(text, parameters) {
        carriedOut += 1;
        if (WATCHED.test(text))
          await setStatementSender(on, { writer: id, sentStep, step: carriedOut });
        return on.query(text, parameters);
      },
    });
  };

  const transaction = async <Value>(
    life: NodeLife,
    work: (on: Queryable) => Promise<Value>,
  ): Promise<Value> => {
    const steps: DatabaseStep[] = [];
    const begun = await enqueue({
      life,
      kind: "begin",
      queue: waiting,
      act: async () => {
        const opened = await openOn(real);
        const rollBack = async (cause: unknown): Promise<void> => {
          open = null;
          await opened.rollBack(cause);
        };
        open = { life, steps, rollBack };
        return { ...opened, rollBack };
      },
    });
    let abortedBy: unknown = null;
    const query = async <Row>(text: string, parameters?: readonly unknown[]) => {
      const sent = sentBy(life);
      try {
        return await enqueue<readonly Row[]>({
          life,
          kind: "inside",
          queue: steps,
          act: () => {
            if (abortedBy === null) return sent(begun.on).query<Row>(text, parameters);
            return Promise.reject(new InjectedFault("the transaction is aborted", "25P02"));
          },
        });
      } catch (cause) {
        abortedBy ??= cause;
        throw cause;
      }
    };
    let value: Value;
    try {
      value = await work({ query });
      if (abortedBy !== null) throw abortedBy;
    } catch (cause) {
      await enqueue({
        life,
        kind: "rollback",
        queue: steps,
        act: () => begun.rollBack(cause),
        onLost: begun.rollBack,
      });
      throw cause;
    }
    await enqueue({
      life,
      kind: "commit",
      queue: steps,
      act: () => {
        open = null;
        return begun.commit();
      },
      onLost: begun.rollBack,
    });
    return value;
  };

  return {
    connect: (life) => ({
      kind: "postgres",
      query: (text, parameters) => {
        const sent = sentBy(life);
        return enqueue({
          life,
          kind: "statement",
          queue: waiting,
          act: () => sent(real).query(text, parameters),
        });
      },
      transaction: (work) => transaction(life, work),
      connections: () => real.connections(),
      close: async () => undefined,
    }),
    // A paused process sends no statements, but those that it has sent are carried out.
    steps: () =>
      (open === null ? waiting : open.steps).filter(
        ({ life, kind }) => !life.isPaused || kind === "statement",
      ),
    isOpen: (life) => open?.life === life,
    async abandon(life) {
      for (const step of [...waiting]) if (step.life === life) forget(waiting, step);
      if (open?.life === life) await open.rollBack(new InjectedFault("its node is gone"));
    },
  };
}

/**
 * Queues a step. Its promise settles when the run has carried out the step, or never when the step hangs or its node
 * dies.
 */
function enqueue<Value>({ life, kind, queue, act, onLost }: StepRequest<Value>): Promise<Value> {
  return new Promise((resolveNow, rejectNow) => {
    const answer = (call: () => void): void => {
      if (life.isPaused) life.held.push(call);
      else call();
    };
    const resolve = (value: Value): void => answer(() => resolveNow(value));
    const reject = (cause: unknown): void => answer(() => rejectNow(cause));
    const lose = async (cause: unknown): Promise<void> => {
      await onLost?.(cause);
      reject(cause);
    };
    const step: DatabaseStep = {
      life,
      kind,
      notBefore: 0,
      notBeforeMs: 0,
      async run(outcome) {
        forget(queue, step);
        if (outcome === "hangs") life.hangs = true;
        else if (outcome === "failsBefore") await lose(new InjectedFault("the step was lost"));
        else if (outcome === "rolledBack") await lose(new InjectedFault("rolled back", "40001"));
        else await carryOut(act, outcome, { resolve, reject });
      },
    };
    queue.push(step);
  });
}

async function carryOut<Value>(
  act: () => Promise<Value>,
  outcome: StepOutcome,
  settle: { resolve(value: Value): void; reject(cause: unknown): void },
): Promise<void> {
  let value: Value;
  try {
    value = await act();
  } catch (cause) {
    settle.reject(cause);
    return;
  }
  if (outcome === "failsAfter") settle.reject(new InjectedFault("the answer was lost"));
  else if (outcome === "done") settle.resolve(value);
}

interface Opened {
  readonly on: Queryable;
  commit(): Promise<void>;
  rollBack(cause: unknown): Promise<void>;
}

/** Opens a transaction of the real database, which the caller ends. */
async function openOn(real: Database): Promise<Opened> {
  const end = Promise.withResolvers<null>();
  const begun = Promise.withResolvers<Queryable>();
  const finished = real.transaction((on) => {
    begun.resolve(on);
    return end.promise;
  });
  return {
    on: await begun.promise,
    async commit() {
      end.resolve(null);
      await finished;
    },
    async rollBack(cause) {
      end.reject(cause);
      await finished.catch(() => undefined);
    },
  };
}

function forget(list: DatabaseStep[], step: DatabaseStep): void {
  const at = list.indexOf(step);
  if (at !== -1) list.splice(at, 1);
}
