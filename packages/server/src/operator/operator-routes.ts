import type { PageRoute } from "../dashboard/page-call.ts";
import { refused } from "../json/json-reply.ts";
import { OPERATOR_CALLS, type OperatorRoute } from "./operator-calls.ts";
import type { OperatorNeed } from "./operator-reply.ts";

const NOT_AN_OPERATOR = refused("Only an operator may do this", 403);

/** They change nothing although they are sent a body. */
const LOOKS_ONLY: ReadonlySet<string> = new Set([
  "program.check",
  "catalogue.check",
  "journal.verify",
]);

/**
 * The operator's interface for operators who are signed in: the same calls below
 * `/dashboard/v1/operator`, by the same handlers. Whoever is no operator is turned away from each,
 * and what changes something leaves a line in the audit, also when it is refused.
 */
export function operatorRoutes(
  need: OperatorNeed,
  calls: readonly OperatorRoute[] = OPERATOR_CALLS,
): readonly PageRoute[] {
  return calls.map(({ handle, ...route }) => ({
    ...route,
    path: `/operator${route.path}`,
    audited: route.method !== "GET" && !LOOKS_ONLY.has(route.name),
    handle: async (call, { person }) =>
      person.role === "operator" ? handle(need, call) : NOT_AN_OPERATOR,
  }));
}
