import type { BackUpRequest } from "@propgate/contract";
import { z } from "zod";
import {
  type BodyFields,
  fieldErrorTexts,
  fieldProblem,
  type Parsed,
  parseBody,
  problemReply,
} from "../json/json-fields.ts";
import type { OperatorHandler } from "./operator-reply.ts";

const BACK_UP = z.strictObject({
  database: z
    .int(fieldErrorTexts("must be a whole number"))
    .min(0, "must be at least 0")
    .optional(),
} satisfies BodyFields<BackUpRequest>);

/** Answers a backup of one database as a file. */
export const backUp: OperatorHandler<"backup"> = async ({ services }, { body }) => {
  const which = parseBackUp(body, services.databases);
  if (!which.ok) return problemReply(which);
  const content = await services.backup(which.value);
  return { status: 200, content, type: "application/gzip" };
};

/** The number of the database to back up, from 0. The body may omit it when the service has one database. */
function parseBackUp(body: unknown, databases: number): Parsed<number> {
  const read = parseBody(BACK_UP, body, ({ database }) => database ?? null);
  if (!read.ok) return read;
  const number = read.value ?? (databases === 1 ? 0 : null);
  if (number !== null && number < databases) return { ok: true, value: number };
  const problem = `must be a number from 0 to ${databases - 1}, because the service has ${databases} databases`;
  return fieldProblem("database", problem);
}
