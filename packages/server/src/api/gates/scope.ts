import type { Scope } from "@propgate/contract";
import type { KnownKey } from "../../access/keys/key-cache.ts";
import type { KeyScope } from "../../storage/rows/api-key.ts";
import { SCOPE_WORDS } from "../wire.ts";
import type { Check } from "./facts.ts";

/** The key has the endpoint's scope. @rule S5.R4 D2.8 decides */
export const scope: Check<{ readonly known: KnownKey; readonly scope: Scope }> = (facts) =>
  hasScope(facts.known, facts.scope)
    ? null
    : { error: "insufficientScope", requiredScope: facts.scope };

export function hasScope(known: KnownKey, wanted: Scope): boolean {
  return known.key.scopes.some((held: KeyScope) => SCOPE_WORDS[held] === wanted);
}
