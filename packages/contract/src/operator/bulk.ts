import { count, nullable, object, optional, string, type Wire, word } from "../schema.ts";
import { OPERATOR_ERRORS, type OperatorErrorCode } from "./error-codes.ts";

const CODES = Object.keys(OPERATOR_ERRORS).filter(isCode);

const BULK_LINE = object("The result of one row.", {
  row: count("The row's number, from 1."),
  status: count("The status that the row would have as a call of its own."),
  data: optional(
    nullable({ json: { description: "The `data` of that call; null in a dry run." } }),
  ),
  error: optional(string("The problem.")),
  code: optional(word(CODES, "A word for programs.")),
  field: optional(string("The column that is wrong.")),
  details: optional({ json: { type: "object", description: "Ids and numbers." } }),
});

/** One line of the answer of a bulk: the result of one row. */
export type BulkLine = Wire<typeof BULK_LINE>;

function isCode(name: string): name is OperatorErrorCode {
  return name in OPERATOR_ERRORS;
}
