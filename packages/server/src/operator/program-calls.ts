import { fine, type JsonReply, refused } from "../json/json-reply.ts";
import { checkCatalogue } from "../market/catalogue.ts";
import type { KeptProgram, ProgramDesk } from "../market/program-desk.ts";
import type { Handle } from "./operator-reply.ts";

/** One line a program: its newest version, which is the one that is sold. */
export const listPrograms: Handle = async ({ world }) => {
  const kept = await world.programs.list();
  const newest = new Map(kept.map((one) => [one.program.id, one]));
  const items = [...newest.values()].map(({ program: { id, version, variant }, addedAtMs }) => ({
    ...{ id, variant, version, addedAtMs },
    versions: kept.filter(({ program }) => program.id === id).length,
  }));
  return fine({ items });
};

export const showProgram: Handle = async ({ world }, { parameters }) => {
  const { id = "" } = parameters;
  const versions = (await world.programs.list()).filter(({ program }) => program.id === id);
  if (versions.length === 0) return refused("Program not found", 404);
  return fine({ id, versions: versions.map(versionView) });
};

export const addProgram: Handle = async ({ world }, { body }) =>
  programReply(await world.programs.add(body));

export const checkProgram: Handle = async ({ world }, { body }) =>
  programReply(await world.programs.check(body));

/** Reads it as a start would; the service goes on with the catalogue it has. */
export const validateCatalogue: Handle = async (_need, { body }) => {
  const checked = checkCatalogue(body);
  return checked.ok
    ? fine({ instruments: checked.value.instruments.size })
    : refused(checked.refusal, 400);
};

function versionView({ program, addedAtMs }: KeptProgram) {
  return { version: program.version, addedAtMs, program };
}

function programReply(result: Awaited<ReturnType<ProgramDesk["check"]>>): JsonReply {
  if (!result.ok) {
    const { why, text } = result.refusal;
    return refused(`program: ${text}`, why === "unreadable" ? 400 : 409);
  }
  const { id, version, variant } = result.value;
  return fine({ id, version, variant }, { subject: id, detail: `version ${version}` });
}
