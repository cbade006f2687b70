import { isRecord, type OperatorCallName } from "@propgate/contract";
import { type JsonCall, refusedReply } from "../json/json-reply.ts";
import { NOT_CONFIRMED } from "../pages/confirm-calls.ts";
import type { PageRoute } from "../pages/page-call.ts";
import { type BulkColumns, readBulkRows } from "./bulk/bulk-rows.ts";
import { OPERATOR_ROUTES, type OperatorRoute } from "./operator-calls.ts";
import type { OperatorCallOptions } from "./operator-reply.ts";

const NOT_AN_OPERATOR = refusedReply("Only an operator may do this", 403);

/** Calls that have a body but change no data, so they are not written to the audit. */
const READ_ONLY: ReadonlySet<string> = new Set<OperatorCallName>([
  "programs.validate",
  "catalogue.validate",
  "journal.verify",
]);

/**
 * The operator's calls for operators who are signed in: below `/dashboard/v1/operator`, with the same handlers. A
 * person who is not an operator is rejected. A call that changes data is written to the audit, even if it is rejected.
 */
export function operatorRoutes(
  options: OperatorCallOptions,
  calls: readonly OperatorRoute[] = OPERATOR_ROUTES,
): readonly PageRoute[] {
  return calls.map(({ handle, needsConfirmation, columns, ...route }) => ({
    ...route,
    path: `/operator${route.path}`,
    audited: route.method !== "GET" && !READ_ONLY.has(route.name),
    guard: async (call, { person, isConfirmed }) => {
      if (person.role !== "operator") return NOT_AN_OPERATOR;
      // The calls of an owner's pages check the confirmation in `accountRoute` and `whenConfirmed`.
      // @rule D13.confirmation decides
      if (isConfirmed || !isConfirmationNeeded({ needsConfirmation, columns }, call)) return null;
      return NOT_CONFIRMED;
    },
    handle: (call, { person }) => handle(options, call, person),
  }));
}

/**
 * Whether this call needs a confirmation: always, never, or when a field of the body or of a row is `true`. With any
 * other value of the field the call is harmless, or its handler rejects it.
 */
function isConfirmationNeeded(
  {
    needsConfirmation: needed,
    columns,
  }: Pick<OperatorRoute, "needsConfirmation"> & {
    readonly columns: BulkColumns | undefined;
  },
  call: JsonCall,
): boolean {
  if (typeof needed === "boolean") return needed;
  return bodiesOf(call, columns).some(
    (body) =>
      isRecord(body) && Object.hasOwn(body, needed.whenTrue) && body[needed.whenTrue] === true,
  );
}

/** The call's body, or the rows of its file. A file that cannot be read has none here, and its handler rejects it. */
function bodiesOf({ body, file }: JsonCall, columns: BulkColumns | undefined): readonly unknown[] {
  if (file === null || columns === undefined) return [body];
  const rows = readBulkRows(file, columns);
  return "status" in rows ? [] : rows.map((row) => ("value" in row ? row.value : null));
}
