import type { Database, Queryable } from "../../packages/server/src/storage/databases/database.ts";

/** What happens to a step on its way to the database and back. */
export type Fate =
  | "done"
  /** It never got there. */
  | "failsBefore"
  /** It was carried out, but the answer was lost. */
  | "failsAfter"
  /** The database took it back for another one's sake. */
  | "takenBack"
  /** Nobody ever hears of it again. */
  | "hangs"
  /** It was carried out, and then the process that had asked for it was gone. */
  | "diesAfter";

/** A fault that the run has made: what follows from it is no surprise. */
export class InjectedFault extends Error {
  override readonly name = "InjectedFault";
  readonly code: string;

  constructor(what: string, code = "08006") {
    super(`simulated: ${what}`);
    this.code = code;
  }
}

/** One life of a node, from its start to its end. */
export interface Life {
  readonly node: number;
  /** Something that it asked of the database will never be answered. */
  hangs: boolean;
}

export type StepKind = "statement" | "begin" | "inside" | "commit" | "rollback";

/** Something a node waits for. */
export interface Step {
  readonly life: Life;
  readonly kind: StepKind;
  /** It is left alone until then. */
  notBefore: number;
  run(fate: Fate): Promise<void>;
}

/**
 * One database for all nodes, of which one step at a time is carried out, and only when it is told
 * to: a statement, or the beginning, a statement and the end of a transaction.
 */
export interface SharedDatabase {
  connect(life: Life): Database;
  /** What could be carried out now, in the order in which it was asked for. */
  steps(): readonly Step[];
  /** Takes a life's open transaction back and forgets everything else it asked for. */
  abandon(life: Life): Promise<void>;
}

interface Asked<Value> {
  readonly life: Life;
  readonly kind: StepKind;
  /** Where it waits. */
  readonly list: Step[];
  /** Carries it out in the real database. */
  readonly act: () => Promise<Value>;
  /** The step did not get through, or was taken back; before its asker is told. */
  readonly onLost?: (cause: unknown) => Promise<void>;
}

interface OpenTransaction {
  readonly life: Life;
  readonly steps: Step[];
  rollBack(cause: unknown): Promise<void>;
}

export function shareDatabase(real: Database): SharedDatabase {
  const waiting: Step[] = [];
  let open: OpenTransaction | null = null;

  const transaction = async <Value>(
    life: Life,
    work: (on: Queryable) => Promise<Value>,
  ): Promise<Value> => {
    const steps: Step[] = [];
    const begun = await ask({
      ...{ life, kind: "begin", list: waiting },
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
      try {
        return await ask<readonly Row[]>({
          ...{ life, kind: "inside", list: steps },
          act: () => {
            if (abortedBy === null) return begun.on.query<Row>(text, parameters);
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
      await ask({
        ...{ life, kind: "rollback", list: steps },
        act: () => begun.rollBack(cause),
        onLost: begun.rollBack,
      });
      throw cause;
    }
    await ask({
      ...{ life, kind: "commit", list: steps },
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
      query: (text, parameters) =>
        ask({
          ...{ life, kind: "statement", list: waiting },
          act: () => real.query(text, parameters),
        }),
      transaction: (work) => transaction(life, work),
      close: async () => undefined,
    }),
    steps: () => (open === null ? waiting : open.steps),
    async abandon(life) {
      for (const step of [...waiting]) if (step.life === life) forget(waiting, step);
      if (open?.life === life) await open.rollBack(new InjectedFault("its node is gone"));
    },
  };
}

/** Puts it where it waits; the promise is settled, if ever, when somebody runs the step. */
function ask<Value>({ life, kind, list, act, onLost }: Asked<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const lose = async (cause: unknown): Promise<void> => {
      await onLost?.(cause);
      reject(cause);
    };
    const step: Step = {
      ...{ life, kind, notBefore: 0 },
      async run(fate) {
        forget(list, step);
        if (fate === "hangs") life.hangs = true;
        else if (fate === "failsBefore") await lose(new InjectedFault("it did not get there"));
        else if (fate === "takenBack") await lose(new InjectedFault("taken back", "40001"));
        else await carryOut(act, fate, { resolve, reject });
      },
    };
    list.push(step);
  });
}

async function carryOut<Value>(
  act: () => Promise<Value>,
  fate: Fate,
  tell: { resolve(value: Value): void; reject(cause: unknown): void },
): Promise<void> {
  let value: Value;
  try {
    value = await act();
  } catch (cause) {
    tell.reject(cause);
    return;
  }
  if (fate === "failsAfter") tell.reject(new InjectedFault("the answer was lost"));
  else if (fate === "done") tell.resolve(value);
}

interface Opened {
  readonly on: Queryable;
  commit(): Promise<void>;
  rollBack(cause: unknown): Promise<void>;
}

/** A transaction of the real database that is ended from outside. */
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

function forget(list: Step[], step: Step): void {
  const at = list.indexOf(step);
  if (at !== -1) list.splice(at, 1);
}
