/**
 * The programs that accounts are sold under, as data. A version never changes once an account has
 * been sold on it; a firm that wants other terms adds a version.
 */
import { ownDataFile, type Problem, parseDocument, problemAt, readDataFile } from "./data-file.ts";
import { type Program, programsSchema } from "./program-schema.ts";

/** Versions of programs, in any order. */
export type Programs = readonly Program[];

export interface ProgramFile {
  /** Its path, for messages. */
  readonly file: string;
  /** In the order of the file. */
  readonly programs: Programs;
}

/**
 * Null for the programs that come with the service.
 * @throws MarketDataError
 */
export async function loadPrograms(path: string | null): Promise<ProgramFile> {
  const file = path ?? ownDataFile("programs.json");
  return { file, programs: parsePrograms(await readDataFile(file), file) };
}

/** `file` names the text in messages. @throws MarketDataError with the first wrong value's path. */
export function parsePrograms(text: string, file: string): Programs {
  const { programs } = parseDocument(text, file, programsSchema);
  for (const [index, program] of programs.entries()) {
    const problem = conflictWith(programs.slice(0, index), program);
    if (problem === null) continue;
    throw problemAt(file, { ...problem, path: ["programs", index, ...problem.path] });
  }
  return programs;
}

/** The newest version, which is the one sold; null when there is no such program. */
export function newestOf(programs: Programs, id: string): Program | null {
  const versions = programs.filter((program) => program.id === id);
  return versions.reduce<Program | null>(
    (newest, one) => (newest === null || one.version > newest.version ? one : newest),
    null,
  );
}

/** The conflict with the other programs: the same version, or a version of another kind; null when there is none. */
export function conflictWith(others: Programs, { id, version, variant }: Program): Problem | null {
  const versions = others.filter((other) => other.id === id);
  if (versions.some((other) => other.version === version)) {
    return { path: [], text: `appears twice: ${id} version ${version}` };
  }
  const kind = versions[0]?.variant ?? variant;
  if (kind === variant) return null;
  return { path: ["variant"], text: `must be "${kind}", as in every version of ${id}` };
}
