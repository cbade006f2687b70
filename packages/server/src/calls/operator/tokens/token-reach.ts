import type { OperatorCall } from "@propgate/contract";
import { type JsonCall, type RefusedReply, refusedReply } from "../../json/json-reply.ts";
import { parsePersonId } from "../operator-requests.ts";
import type { OperatorServices } from "../operator-services.ts";

const ROOT_ONLY = refusedReply(
  "A named operator token may not do this; use the root token, or sign in as an operator",
  403,
);

/**
 * The refusal of a call that a named token may not make; null when it may. A named token can create no access for an
 * operator, neither a token nor a person, so its access always ends when it is revoked.
 */
export async function namedTokenRefusal(
  { people }: Pick<OperatorServices, "people">,
  { namedToken }: Pick<OperatorCall, "namedToken">,
  { parameters, body }: JsonCall,
): Promise<RefusedReply | null> {
  switch (namedToken) {
    case "allowed":
      return null;
    case "refused":
      return ROOT_ONLY;
    case "ownersOnly": {
      if (parameters.id === undefined) return hasOperatorRole(body) ? ROOT_ONLY : null;
      const id = parsePersonId(parameters.id);
      const person = id === null ? null : await people.roster.find(id);
      return person?.role === "operator" ? ROOT_ONLY : null;
    }
  }
}

/** Whether the body is of a new person with the role `operator`. */
function hasOperatorRole(body: unknown): boolean {
  return typeof body === "object" && body !== null && "role" in body && body.role === "operator";
}
