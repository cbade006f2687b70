/**
 * The programs under which accounts are sold, as data. A version never changes once the service has stored it; a firm
 * that offers other terms adds a version.
 */
import {
  bundledDataPath,
  type DocumentProblem,
  dataFileError,
  parseDocument,
  readDataFile,
} from "./data-file.ts";
import { type Program, programsSchema } from "./program-schema.ts";

/** Versions of programs, in any order. */
export type Programs = readonly Program[];

/** The programs of a file. */
export interface ProgramFile {
  /** The path of the file, for messages. */
  readonly file: string;
  /** The programs in the order of the file. */
  readonly programs: Programs;
}

/**
 * Loads the programs of a file. When `path` is null, it loads the programs that come with the service.
 * @throws MarketDataError
 */
export async function loadPrograms(path: string | null): Promise<ProgramFile> {
  const file = path ?? bundledDataPath("programs.json");
  return { file, programs: parsePrograms(await readDataFile(file), file) };
}

/**
 * Parses programs and checks them. `file` is the file's name in messages. @throws MarketDataError with the first wrong
 * value's path.
 */
export function parsePrograms(text: string, file: string): Programs {
  const { programs } = parseDocument(text, file, programsSchema);
  for (const [index, program] of programs.entries()) {
    const problem = conflictWith(programs.slice(0, index), program);
    if (problem === null) continue;
    throw dataFileError(file, { ...problem, path: ["programs", index, ...problem.path] });
  }
  return programs;
}

/** The newest version of a program, which is the one that is sold; null when there is no such program. */
export function newestVersionOf(programs: Programs, id: string): Program | null {
  const versions = programs.filter((program) => program.id === id);
  return versions.reduce<Program | null>(
    (newest, one) => (newest === null || one.version > newest.version ? one : newest),
    null,
  );
}

/**
 * How a program conflicts with others of the same id: by the same version, or by another variant; null when it does
 * not.
 */
export function conflictWith(
  others: Programs,
  { id, version, variant }: Program,
): DocumentProblem | null {
  const versions = others.filter((other) => other.id === id);
  if (versions.some((other) => other.version === version)) {
    return { path: [], text: `appears twice: ${id} version ${version}` };
  }
  const kind = versions[0]?.variant ?? variant;
  if (kind === variant) return null;
  return { path: ["variant"], text: `must be "${kind}", as in every version of ${id}` };
}
