import type { Person } from "@propgate/access";
import type { JsonRoute } from "../json/json-interface.ts";

/** A signed-in person, the person's session and the client's address. */
export interface Visitor {
  readonly person: Person;
  readonly sessionId: string;
  readonly address: string;
  /** Whether the person has given a password or passkey in the last five minutes. */
  readonly isConfirmed: boolean;
}

/** A call of the pages that needs a session. */
export interface PageRoute extends JsonRoute<Visitor> {
  /** True for a call that is written to the audit, whether it succeeds or not. */
  readonly audited: boolean;
}
