import { LIMITS } from "../limits.ts";
import { fatesRule, rejectMisplaced } from "../requests/fate-check.ts";
import { FieldReader, isObject, type Problems } from "../requests/field-reader.ts";
import { ACCOUNT_ID, oneOf } from "../requests/order-values.ts";
import { number, object, omittable, word } from "../schema.ts";
import { SWITCH_ACTIONS, type SwitchActionWord } from "../words.ts";

const { switchSecondsMin: SECONDS_MIN, switchSecondsMax: SECONDS_MAX } = LIMITS;

const ACTION = oneOf(SWITCH_ACTIONS, "What the switch does at its deadline.");

/** The body of POST cancel-all-after. @rule D9.cancelAllAfter */
export const SWITCH_REQUEST = object(
  "Arms the dead man's switch, or ends it.",
  {
    accountId: ACCOUNT_ID,
    seconds: number(
      `Whole seconds from now to the new deadline, ${SECONDS_MIN} to ${SECONDS_MAX}; 0 ends the switch. A request with the same action that would delay the deadline by less than a tenth of this time changes nothing.`,
      { type: "integer", minimum: 0, maximum: SECONDS_MAX },
    ),
    action: omittable(
      word(
        SWITCH_ACTIONS,
        "`cancel`, the default: cancels all pending orders and legs. `flatten`: cancels them and closes all positions.",
      ),
    ),
  },
  fatesRule([{ place: "SwitchRequest" }]),
);

/** A valid request for the dead man's switch. */
export interface SwitchFields {
  /** Seconds from the request to the deadline; null ends the switch. */
  readonly seconds: number | null;
  readonly action: SwitchActionWord;
}

/** A valid request with its ignored fields, or its first problem. */
export type ParsedSwitch =
  | {
      readonly ok: true;
      readonly fields: SwitchFields;
      /** Fields that were not read. They cause no error, but a header names them. */
      readonly ignoredFields: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

/**
 * Reads the body of POST cancel-all-after. The message names the first problem and its field. @rule D9.cancelAllAfter
 */
export function parseCancelAllAfter(body: unknown): ParsedSwitch {
  if (!isObject(body)) return { ok: false, message: "request body must be a JSON object" };
  const problems: Problems = { first: null };
  const root = new FieldReader(body, { problems, path: "", prefix: "" });
  rejectMisplaced(root, "SwitchRequest");
  root.requireField("seconds");
  const seconds = readSeconds(root);
  const action = ACTION.read(root, "action") ?? "cancel";
  const problem = problems.first;
  if (problem !== null || seconds === null) {
    return { ok: false, message: problem ?? "'seconds' is required" };
  }
  const fields = { seconds: seconds === 0 ? null : seconds, action };
  return { ok: true, fields, ignoredFields: root.ignoredNames() };
}

function readSeconds(root: FieldReader): number | null {
  const given = root.take("seconds");
  if (given === null) return null;
  const isWhole = typeof given === "number" && Number.isInteger(given);
  const isWithin = isWhole && (given === 0 || (given >= SECONDS_MIN && given <= SECONDS_MAX));
  return isWithin
    ? given
    : root.reportForm("seconds", `a whole number from ${SECONDS_MIN} to ${SECONDS_MAX}, or 0`);
}
