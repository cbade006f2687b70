import {
  type CallOrigin,
  idleEnd,
  type OwnerKeys,
  type PeopleDesk,
  type PersonalSession,
} from "@propgate/access";
import type { Clock } from "@propgate/base";
import type { SessionView } from "@propgate/contract";
import type { JsonRoute } from "../json/json-interface.ts";
import type { JsonCall, JsonReply } from "../json/json-reply.ts";
import type { PageCookie } from "./session-cookie.ts";

/** The client of a call, signed in or not. */
export interface PageCaller {
  readonly from: CallOrigin;
  /** The host and port of this service as the request has them. */
  readonly host: string;
  /** The cookie's token, which may be invalid. */
  readonly token: string | null;
  /** Null for a call that needs no session. */
  readonly signedIn: PersonalSession | null;
}

export interface SignedInCaller extends PageCaller {
  readonly signedIn: PersonalSession;
}

export interface DashboardRoute extends JsonRoute<PageCaller> {
  readonly audited: boolean;
  /** True: the call needs no session. */
  readonly open: boolean;
}

/** The dependencies of the sign-in calls. */
export interface DashboardCallOptions {
  readonly people: PeopleDesk;
  readonly clock: Clock;
  readonly cookie: PageCookie;
  readonly browserCookie: PageCookie;
  readonly keys: OwnerKeys;
  /** The pages' public address; with null, the request's `Host` is used. */
  readonly publicUrl: string | null;
  readonly brand: string;
  readonly networkName: string;
}

export type PageHandle = (
  options: DashboardCallOptions,
  call: JsonCall,
  caller: PageCaller,
) => Promise<JsonReply>;

export type SignedInHandle = (
  options: DashboardCallOptions,
  call: JsonCall,
  caller: SignedInCaller,
) => Promise<JsonReply>;

/** The handler of a call that admission allows to signed-in people only. */
export function forSignedIn(handle: SignedInHandle): PageHandle {
  return (options, call, caller) => {
    const { signedIn } = caller;
    if (signedIn === null) throw new Error("broken invariant: no person is signed in");
    return handle(options, call, { ...caller, signedIn });
  };
}

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
    idleEndsAtMs: idleEnd(session),
    endsAtMs: session.endsAtMs,
    brand: options.brand,
    networkName: options.networkName,
    baseUrl: options.publicUrl ?? `http://${host}`,
  };
}
