import { PROGRAMS_LIST, type ProgramVersionView } from "@propgate/contract";
import { type ProgramDesk, parseCatalogueDocument, type StoredProgram } from "@propgate/market";
import { inMemorySource } from "../../storage/lists/in-memory-source.ts";
import { type JsonReply, okReply, refusedReply, wrongFieldReply } from "../json/json-reply.ts";
import { answerList } from "./lists/list-call.ts";
import type { OperatorHandler } from "./operator-reply.ts";

/** Lists each program at its newest version, which is the one for sale. */
export const listPrograms: OperatorHandler<"programs.list"> = async (options, call) => {
  const kept = await options.services.programs.list();
  const newest = new Map(kept.map((one) => [one.program.id, one]));
  const items = [...newest.values()].map(({ program: { id, version, variant }, addedAtMs }) => ({
    id,
    variant,
    version,
    addedAtMs,
    versions: kept.filter(({ program }) => program.id === id).length,
  }));
  return answerList(options, call, "programs.list", inMemorySource(PROGRAMS_LIST, items));
};

export const showProgram: OperatorHandler<"programs.get"> = async (
  { services },
  { parameters },
) => {
  const { id = "" } = parameters;
  const versions = (await services.programs.list()).filter(({ program }) => program.id === id);
  if (versions.length === 0) return refusedReply("Program not found", 404);
  return okReply({ id, versions: versions.map(versionView) });
};

export const addProgram: OperatorHandler<"programs.add"> = async ({ services }, { body, act }) =>
  programReply(await services.programs.add(body, act));

/** Checks a program as `programs.add` would, but does not add it. */
export const checkProgram: OperatorHandler<"programs.validate"> = async ({ services }, { body }) =>
  programReply(await services.programs.check(body));

/** Checks a catalogue as a start of the service would. The running service keeps its catalogue. */
export const validateCatalogue: OperatorHandler<"catalogue.validate"> = async (
  { services },
  { body },
) => {
  const checked = parseCatalogueDocument(body);
  if (!checked.ok) return refusedReply(checked.refusal, 400, "catalogue");
  const { instruments } = checked.value;
  const misfit = await services.catalogueMisfit(instruments);
  return misfit === null
    ? okReply({ instruments: instruments.size })
    : refusedReply(misfit, 400, "catalogue");
};

function versionView({ program, addedAtMs }: StoredProgram) {
  return { version: program.version, addedAtMs, program };
}

function programReply(
  result: Awaited<ReturnType<ProgramDesk["check"]>>,
): JsonReply<ProgramVersionView> {
  if (!result.ok) {
    const { why, text } = result.refusal;
    return wrongFieldReply("program", text, why === "unreadable" ? 400 : 409);
  }
  const { id, version, variant } = result.value;
  return okReply({ id, version, variant }, { subject: id, detail: `version ${version}` });
}
