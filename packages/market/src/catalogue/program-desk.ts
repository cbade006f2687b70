/**
 * The programs in the database. Every creation of an account reads them again, so all nodes offer a version immediately
 * after one node has added it. Accounts are created rarely, so these reads cost little.
 */

import { isDeepStrictEqual } from "node:util";
import { CannotStart, type Clock, type RepeatableCall } from "@propgate/base";
import { ok, type Result, refuse, type UnixMs } from "@propgate/core";
import type { Database } from "@propgate/ledger";
import { createProgramStore, type ProgramRow } from "../storage/program-store.ts";
import { checkDocument, type DocumentProblem, problemText } from "./data-file.ts";
import { MarketDataError } from "./market-data-error.ts";
import { type Program, programSchema } from "./program-schema.ts";
import { conflictWith, newestVersionOf, type ProgramFile, type Programs } from "./programs.ts";

/** A version of a program, with the time at which it was added. */
export interface StoredProgram {
  readonly program: Program;
  readonly addedAtMs: UnixMs;
}

/**
 * Why a document is not added. `unreadable`: a value of the document is wrong. `outOfTurn`: it is not the next version
 * of its program, or is of another variant than the earlier ones.
 */
export interface ProgramRefusal {
  readonly why: "unreadable" | "outOfTurn";
  readonly text: string;
}

/** The operator's actions on programs. A stored version never changes. @rule D7.versions */
export interface ProgramDesk {
  /** Every version of every program, by id, then by version. */
  list(): Promise<readonly StoredProgram[]>;
  /** Checks whether the document could be added at this moment, without adding it. */
  check(document: unknown): Promise<Result<Program, ProgramRefusal>>;
  /** Adds the document as the next version of its program. Every node offers it when this resolves. */
  add(document: unknown, act?: RepeatableCall | null): Promise<Result<Program, ProgramRefusal>>;
}

export function createProgramDesk(options: {
  readonly database: Database;
  readonly clock: Clock;
}): ProgramDesk {
  const store = createProgramStore(options.database);
  const list = async (): Promise<readonly StoredProgram[]> =>
    (await store.list()).map(storedProgramOf);
  const check: ProgramDesk["check"] = async (document) => {
    const read = checkDocument(document, programSchema);
    if (!read.ok) return refuse({ why: "unreadable", text: problemText(read.refusal) });
    const text = versionProblem(await list(), read.value);
    return text === null ? ok(read.value) : refuse({ why: "outOfTurn", text });
  };
  /** The stored version that equals the document; null when there is none. */
  const addedBefore = async (document: unknown): Promise<Program | null> => {
    const read = checkDocument(document, programSchema);
    if (!read.ok) return null;
    const found = (await list()).find(({ program }) => isDeepStrictEqual(program, read.value));
    return found?.program ?? null;
  };
  return {
    list,
    check,
    async add(document, act = null) {
      const checked = await check(document);
      if (!checked.ok) {
        const added = act?.isRepeat === true ? await addedBefore(document) : null;
        return added === null ? checked : ok(added);
      }
      if (await store.addNext(rowOf(checked.value, options.clock.now()))) return checked;
      // Another operator has added this version meanwhile, so the check reports which version is next.
      const again = await check(document);
      if (!again.ok) return again;
      throw new Error("broken invariant: the next version of a program can be added");
    },
  };
}

/**
 * On a loaded machine the comparison may take seconds, in which the transaction runs no statement. The limit on its
 * idle time must be longer than that.
 */
const COMPARISON_LIMITS = { idleMs: 60_000 };

/**
 * Stores the versions of the file that are new, and compares the others with the stored ones, in one transaction.
 * @throws CannotStart when a version differs from, or conflicts with, a stored one
 * @rule D7.versions
 */
export async function storePrograms(
  { file, programs }: ProgramFile,
  options: { readonly database: Database; readonly clock: Clock },
): Promise<void> {
  const now = options.clock.now();
  await options.database.transaction(async (transaction) => {
    const store = createProgramStore(transaction);
    await store.addMissing(programs.map((program) => rowOf(program, now)));
    const stored = (await store.list()).map((row) => storedProgramOf(row).program);
    for (const [index, program] of programs.entries()) {
      const problem = changeProblem(stored, program);
      if (problem === null) continue;
      const path = ["programs", index, ...problem.path];
      throw new CannotStart(`${file}: ${problemText({ ...problem, path })}`, { fix: problem.fix });
    }
  }, COMPARISON_LIMITS);
}

/** How a version of the file conflicts with the stored versions, with a fix; null when it equals the stored one. */
function changeProblem(
  stored: Programs,
  program: Program,
): (DocumentProblem & { readonly fix: string }) | null {
  const { id, version } = program;
  const others = stored.filter((one) => one.id !== id || one.version !== version);
  const conflict = conflictWith(others, program);
  if (conflict !== null) return { ...conflict, fix: "Give it an id of its own." };
  if (stored.some((one) => isDeepStrictEqual(one, program))) return null;
  return {
    path: [],
    text: `is not what ${id} version ${version} was sold as, and a version never changes`,
    fix: `Give it version ${nextVersion(stored, id)}; version ${version} stays as it was sold.`,
  };
}

function nextVersion(programs: Programs, id: string): number {
  return (newestVersionOf(programs, id)?.version ?? 0) + 1;
}

/**
 * Why the program cannot be added, in words; null when it can. Its version must be the next number of its id, so no
 * stored version is changed, and its variant must be that of the earlier versions. @rule D7.versions decides
 */
function versionProblem(stored: readonly StoredProgram[], program: Program): string | null {
  const programs = stored.map((one) => one.program);
  const { id, version } = program;
  const next = nextVersion(programs, id);
  if (version !== next) return `version must be ${next}, the next one of ${id}, not ${version}`;
  const conflict = conflictWith(programs, program);
  return conflict === null ? null : problemText(conflict);
}

function rowOf(program: Program, addedAtMs: UnixMs): ProgramRow {
  const { id, version } = program;
  return { id, version, document: JSON.stringify(program), addedAtMs };
}

function storedProgramOf({ id, version, document, addedAtMs }: ProgramRow): StoredProgram {
  const read = checkDocument(JSON.parse(document), programSchema);
  if (read.ok) return { program: read.value, addedAtMs };
  const what = `the database's program ${id} version ${version}`;
  throw new MarketDataError(`${what}: ${problemText(read.refusal)}`);
}
