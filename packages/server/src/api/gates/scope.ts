import type { KeyScope, OpenedKey } from "@propgate/access";
import type { Scope } from "@propgate/contract";
import { SCOPE_WORDS } from "@propgate/wire";
import type { Check } from "./facts.ts";

/** Rejects a key without the endpoint's scope, with 403 and the name of the scope. @rule S5.R4 D2.8 decides */
export const checkScope: Check<{ readonly known: OpenedKey; readonly scope: Scope }> = (facts) =>
  hasScope(facts.known, facts.scope)
    ? null
    : { error: "insufficientScope", requiredScope: facts.scope };

export function hasScope(known: OpenedKey, wanted: Scope): boolean {
  return known.key.scopes.some((held: KeyScope) => SCOPE_WORDS[held] === wanted);
}
