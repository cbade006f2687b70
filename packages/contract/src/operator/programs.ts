import { count, id, list, object, type Schema, string, time, type Wire, word } from "../schema.ts";
import { describeList } from "./lists/list-description.ts";

const VARIANTS = ["classic", "pro"] as const;

/** A program file. Its format has its own description, so it is not described here. */
export const PROGRAM_DOCUMENT: Schema<unknown> = { json: { description: "A program." } };
/** A catalogue. Its format has its own description, so it is not described here. */
export const CATALOGUE_DOCUMENT: Schema<unknown> = { json: { description: "A catalogue." } };

export const OPERATOR_PROGRAM = object("A program at its newest version, which new accounts get.", {
  id: id("The program's id."),
  variant: word(VARIANTS, "The track of the program."),
  version: count("The newest version."),
  addedAtMs: time("When the newest version was added."),
  versions: count("Number of versions of the program."),
});
export type OperatorProgram = Wire<typeof OPERATOR_PROGRAM>;

export const PROGRAMS_LIST = describeList(OPERATOR_PROGRAM, {
  sort: "-addedAtMs",
  ties: ["id"],
  parts: ["id"],
  isCounted: true,
});

export const PROGRAM_VERSIONS = object("A program with all its versions, oldest first.", {
  id: string("The program's id."),
  versions: list(
    object("One version.", {
      version: count("The version number."),
      addedAtMs: time("When the version was added."),
      program: PROGRAM_DOCUMENT,
    }),
    "All versions, oldest first.",
  ),
});
export type OperatorProgramVersions = Wire<typeof PROGRAM_VERSIONS>;

export const PROGRAM_VERSION = object("The version that was added, or could be.", {
  id: string("The program's id."),
  version: count("The version number."),
  variant: word(VARIANTS, "The track of the program."),
});
export type ProgramVersionView = Wire<typeof PROGRAM_VERSION>;

export const CHECKED_CATALOGUE = object("A catalogue that the service could start with.", {
  instruments: count("Number of instruments in the catalogue."),
});
