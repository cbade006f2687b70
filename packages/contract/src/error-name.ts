import { ERROR_NAMES, ERRORS, type ErrorName, type ErrorRow } from "./errors.ts";

/**
 * The row of the error table that an answer is of, by its status and its `error`; null when it is of
 * none, as what an edge or a proxy in front of the service says. Of the rows whose texts
 * tell what was sent, one that speaks of a field alone is `invalidBody`, and any other 400 `orderRefused`. @rule S7.table
 */
export function errorNameOf(status: number, error: string): ErrorName | null {
  const rows = ERROR_NAMES.filter((name) => ERRORS[name].status === status);
  const byText = rows.find((name) => isFixedText(ERRORS[name], error));
  if (byText !== undefined) return byText;
  if (status === 503) return isSnapshotText(error) ? "snapshotUnavailable" : null;
  if (status === 502) return "upstreamFailed";
  if (status !== 400 || BELOW_THE_TABLE.includes(error)) return null;
  if (error.startsWith("'pairs' ")) return "invalidPairs";
  return FIELD_PROBLEM.test(error) ? "invalidBody" : "orderRefused";
}

/** What a listener says before there is an endpoint. */
const BELOW_THE_TABLE: readonly string[] = ["Malformed request"];

const FIELD_PROBLEM =
  /^(?:bracket_orders\[\d+\]: )?(?:request body |'[^']+' (?:must |is required|is given twice|and ')|only one of '|at least one of '|must be an object)|^Content-Type /i;

function isFixedText({ text }: ErrorRow, error: string): boolean {
  return text === error;
}

/** The network's name in it is the operator's choice. */
function isSnapshotText(error: string): boolean {
  const [before = "", behind = ""] = ERRORS.snapshotUnavailable
    .text({ networkName: NAME_PLACE, message: "" })
    .split(NAME_PLACE);
  return error.startsWith(before) && error.endsWith(behind);
}

const NAME_PLACE = "\n";
