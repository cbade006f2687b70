import { count, nullable, object, optional, string, type Wire, word } from "../schema.ts";
import { OPERATOR_ERRORS, type OperatorErrorCode } from "./error-codes.ts";

const CODES = Object.keys(OPERATOR_ERRORS).filter(isCode);

const BULK_LINE = object("The result of one row.", {
  row: count("Number of the row, from 1."),
  status: count("The HTTP status that the row would have as a single call."),
  data: optional(
    nullable({ json: { description: "The `data` of the single call; null in a dry run." } }),
  ),
  error: optional(string("The problem in words; absent on success.")),
  code: optional(word(CODES, "The kind of the problem, for programs; absent on success.")),
  field: optional(string("The column with the wrong value; absent without one.")),
  details: optional({
    json: { type: "object", description: "Ids and numbers that belong to the problem." },
  }),
});

/** One line of the answer of a bulk: the result of one row. */
export type BulkLine = Wire<typeof BULK_LINE>;

function isCode(name: string): name is OperatorErrorCode {
  return name in OPERATOR_ERRORS;
}
