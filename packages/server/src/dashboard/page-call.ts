import type { JsonRoute } from "../json/json-interface.ts";
import type { Person } from "../people/person.ts";

/** Somebody who is signed in, and where from. */
export interface Visitor {
  readonly person: Person;
  readonly sessionId: string;
  readonly address: string;
}

/** A call of the pages that only somebody who is signed in may make. */
export interface PageRoute extends JsonRoute<Visitor> {
  /** Leaves a line in the audit, whether it succeeds or not. */
  readonly audited: boolean;
}
