import {
  type CallOrigin,
  idleEndMs,
  type OwnerKeys,
  type PeopleDesk,
  type PersonalSession,
} from "@propgate/access";
import type { Clock } from "@propgate/base";
import type { SessionView } from "@propgate/contract";
import type { JsonRoute } from "../json/json-interface.ts";
import type { JsonCall, JsonReply } from "../json/json-reply.ts";
import type { PageCookie } from "./session-cookie.ts";

/** The client of a call, whether it is signed in or not. */
export interface PageCaller {
  readonly from: CallOrigin;
  /** The value of the request's header `Host`: the host and port by which the client reached this service. */
  readonly host: string;
  /** The token of the session cookie, which may be invalid; null when there is no cookie. */
  readonly token: string | null;
  /** The caller's session and person; null for a call that needs no session. */
  readonly signedIn: PersonalSession | null;
}

/** The client of a call that needs a session. */
export interface SignedInCaller extends PageCaller {
  readonly signedIn: PersonalSession;
}

/** A call of the pages, with its path and its handler, as the listener serves it. */
export interface DashboardRoute extends JsonRoute<PageCaller> {
  readonly audited: boolean;
  /** True for a call that needs no session. */
  readonly open: boolean;
}

/** The parts of the service that the calls for signing in, sessions, passwords and passkeys use. */
export interface DashboardCallOptions {
  readonly people: PeopleDesk;
  readonly clock: Clock;
  readonly cookie: PageCookie;
  readonly browserCookie: PageCookie;
  readonly keys: OwnerKeys;
  /** The public address of the pages; null when a request's `Host` is their address. */
  readonly publicUrl: string | null;
  readonly brand: string;
  readonly networkName: string;
}

/** The handler of a call that needs no session, or of any call after `forSignedIn`. */
export type PageHandler = (
  options: DashboardCallOptions,
  call: JsonCall,
  caller: PageCaller,
) => Promise<JsonReply>;

/** The handler of a call that needs a session. */
export type SignedInHandler = (
  options: DashboardCallOptions,
  call: JsonCall,
  caller: SignedInCaller,
) => Promise<JsonReply>;

/** Adapts a handler that needs a session. Only calls that need a session may have such a handler. */
export function forSignedIn(handle: SignedInHandler): PageHandler {
  return (options, call, caller) => {
    const { signedIn } = caller;
    if (signedIn === null) throw new Error("broken invariant: no person is signed in");
    return handle(options, call, { ...caller, signedIn });
  };
}

/** The session as the pages show it. `host` is the address of the service when it has no public address. */
export function sessionView(
  options: DashboardCallOptions,
  { session, person }: PersonalSession,
  host: string,
): SessionView {
  const { personId, name, role, ownerId } = person;
  return {
    person: { personId, name, role, ownerId },
    sessionId: session.sessionId,
    signedInAtMs: session.signedInAtMs,
    idleEndsAtMs: idleEndMs(session),
    endsAtMs: session.endsAtMs,
    brand: options.brand,
    networkName: options.networkName,
    baseUrl: options.publicUrl ?? `http://${host}`,
  };
}
