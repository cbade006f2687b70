import type { OperatorCall, OperatorCallName } from "@propgate/contract";
import { refused } from "../json/json-reply.ts";
import { NOT_CONFIRMED } from "../pages/confirm-calls.ts";
import type { PageRoute } from "../pages/page-call.ts";
import { OPERATOR_ROUTES, type OperatorRoute } from "./operator-calls.ts";
import type { OperatorCallOptions } from "./operator-reply.ts";

const NOT_AN_OPERATOR = refused("Only an operator may do this", 403);

/** Calls with a body that change nothing. */
const READ_ONLY: ReadonlySet<string> = new Set<OperatorCallName>([
  "programs.validate",
  "catalogue.validate",
  "journal.verify",
]);

/**
 * The operator's calls for operators who are signed in: below `/dashboard/v1/operator`, with the same
 * handlers. A person who is not an operator is rejected. A call that changes something is written to the
 * audit, also when it is rejected.
 */
export function operatorRoutes(
  options: OperatorCallOptions,
  calls: readonly OperatorRoute[] = OPERATOR_ROUTES,
): readonly PageRoute[] {
  return calls.map(({ handle, needsConfirmation, ...route }) => ({
    ...route,
    path: `/operator${route.path}`,
    audited: route.method !== "GET" && !READ_ONLY.has(route.name),
    guard: async ({ body }, { person, isConfirmed }) => {
      if (person.role !== "operator") return NOT_AN_OPERATOR;
      // @rule D13.confirmation decides
      return isConfirmationNeeded(needsConfirmation, body) && !isConfirmed ? NOT_CONFIRMED : null;
    },
    handle: (call, { person }) => handle(options, call, person),
  }));
}

/** Any other value than `true` needs no confirmation: without it the call is harmless, or its handler rejects it. */
function isConfirmationNeeded(needed: OperatorCall["needsConfirmation"], body: unknown): boolean {
  if (typeof needed === "boolean") return needed;
  if (typeof body !== "object" || body === null) return false;
  return Object.entries(body).some(([field, value]) => field === needed.whenTrue && value === true);
}
