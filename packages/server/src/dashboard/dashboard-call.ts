import type { SessionView } from "@propgate/contract";
import type { Clock } from "../clock.ts";
import type { JsonRoute } from "../json/json-interface.ts";
import type { JsonCall, JsonReply } from "../json/json-reply.ts";
import type { PeopleDesk } from "../people/people-desk.ts";
import type { CallOrigin, PersonalSession } from "../people/session.ts";
import { idleEnd } from "../people/sessions.ts";
import type { SessionCookie } from "./session-cookie.ts";

/** Whoever calls, signed in or not. */
export interface PageCaller {
  readonly from: CallOrigin;
  /** As the request names this service: host and port. */
  readonly host: string;
  /** Of the cookie, whatever it is worth. */
  readonly token: string | null;
  /** Null for a call that needs no session. */
  readonly signedIn: PersonalSession | null;
}

export interface SignedInCaller extends PageCaller {
  readonly signedIn: PersonalSession;
}

export interface DashboardRoute extends JsonRoute<PageCaller> {
  readonly audited: boolean;
  /** Also for somebody who is not signed in. */
  readonly open: boolean;
}

/** What the calls of signing in need. */
export interface DashboardNeeds {
  readonly people: PeopleDesk;
  readonly clock: Clock;
  readonly cookie: SessionCookie;
  /** The address that a browser shows; null: the one that it asked for. */
  readonly publicUrl: string | null;
  readonly brand: string;
  readonly networkName: string;
}

export type PageHandle = (
  need: DashboardNeeds,
  call: JsonCall,
  caller: PageCaller,
) => Promise<JsonReply>;

export type SignedInHandle = (
  need: DashboardNeeds,
  call: JsonCall,
  caller: SignedInCaller,
) => Promise<JsonReply>;

/** The handler of a call that admission lets nobody else make. */
export function forSignedIn(handle: SignedInHandle): PageHandle {
  return (need, call, caller) => {
    const { signedIn } = caller;
    if (signedIn === null) throw new Error("broken invariant: nobody is signed in");
    return handle(need, call, { ...caller, signedIn });
  };
}

export function sessionView(
  need: DashboardNeeds,
  { session, person }: PersonalSession,
  host: string,
): SessionView {
  const { personId, name, role, ownerId } = person;
  return {
    person: { personId, name, role, ownerId },
    sessionId: session.sessionId,
    signedInAtMs: session.signedInAtMs,
    idleEndsAtMs: idleEnd(session),
    endsAtMs: session.endsAtMs,
    brand: need.brand,
    networkName: need.networkName,
    baseUrl: need.publicUrl ?? `http://${host}`,
  };
}
