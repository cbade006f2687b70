import {
  type AuditLog,
  type CallOrigin,
  isConfirmed,
  type PersonalSession,
} from "@propgate/access";
import type { Log } from "@propgate/base";
import { DASHBOARD_PREFIX } from "@propgate/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { clientAddress } from "../../api/edge/client-address.ts";
import {
  type Admitted,
  type AnsweredCall,
  addJsonInterface,
  stringMembersOf,
} from "../json/json-interface.ts";
import { refusedReply } from "../json/json-reply.ts";
import { CLOCK_IS_WRONG } from "../json/known-fault.ts";
import { carryOutKeyed } from "../operator/repeats/keyed-call.ts";
import { isReplayed, type RepeatedWrites } from "../operator/repeats/repeated-writes.ts";
import {
  confirmOptions,
  confirmWithPasskey,
  confirmWithPassword,
  NOT_CONFIRMED,
} from "./confirm-calls.ts";
import {
  type DashboardCallOptions,
  type DashboardRoute,
  forSignedIn,
  type PageCaller,
  type PageHandler,
  type SignedInHandler,
} from "./dashboard-call.ts";
import type { PageRoute, Visitor } from "./page-call.ts";
import {
  addPasskey,
  createPasskeyOptions,
  listPasskeys,
  removePasskey,
  signInOptions,
  signInWithPasskey,
} from "./passkey-calls.ts";
import { foreignCallRefusal } from "./same-origin.ts";
import {
  changePassword,
  endSession,
  listSessions,
  showSession,
  signOut,
  signOutEverywhere,
} from "./session-calls.ts";
import { browserCookie, sessionCookie } from "./session-cookie.ts";
import { showLink, signIn, useLink } from "./sign-in-calls.ts";

export interface DashboardOptions extends Omit<DashboardCallOptions, "cookie" | "browserCookie"> {
  /** The calls of other modules. This module has the calls for signing in, sessions, passwords and passkeys. */
  readonly routes: readonly PageRoute[];
  readonly repeats: RepeatedWrites;
  /**
   * True while the clock of this node is wrong. Then no call is answered, because the ends of sessions, links and days
   * depend on the clock. @rule D12.oneClock
   */
  readonly isClockWrong: () => boolean;
  readonly log: Log;
}

/** A call for signing in, sessions, passwords or passkeys. */
export interface OwnCall {
  readonly name: string;
  readonly method: DashboardRoute["method"];
  readonly path: string;
  readonly audited: boolean;
  /** True when the person must have given a password or passkey in the last five minutes. */
  readonly needsConfirmation?: boolean;
}

const OPEN_CALLS: readonly (OwnCall & { readonly handle: PageHandler })[] = [
  { name: "sign-in", method: "POST", path: "/sign-in", audited: true, handle: signIn },
  {
    name: "sign-in.passkeyOptions",
    method: "POST",
    path: "/sign-in/passkey/options",
    audited: false,
    handle: signInOptions,
  },
  {
    name: "sign-in.passkey",
    method: "POST",
    path: "/sign-in/passkey",
    audited: true,
    handle: signInWithPasskey,
  },
  { name: "link.look", method: "POST", path: "/link", audited: false, handle: showLink },
  { name: "link.use", method: "POST", path: "/link/use", audited: true, handle: useLink },
];

const SESSION_CALLS: readonly (OwnCall & { readonly handle: SignedInHandler })[] = [
  { name: "session.show", method: "GET", path: "/session", audited: false, handle: showSession },
  { name: "sign-out", method: "POST", path: "/sign-out", audited: true, handle: signOut },
  {
    name: "sign-out.everywhere",
    method: "POST",
    path: "/sign-out-everywhere",
    audited: true,
    handle: signOutEverywhere,
  },
  { name: "session.list", method: "GET", path: "/sessions", audited: false, handle: listSessions },
  {
    name: "session.end",
    method: "DELETE",
    path: "/sessions/:id",
    audited: true,
    handle: endSession,
  },
  { name: "confirm", method: "POST", path: "/confirm", audited: true, handle: confirmWithPassword },
  {
    name: "confirm.passkeyOptions",
    method: "POST",
    path: "/confirm/passkey/options",
    audited: false,
    handle: confirmOptions,
  },
  {
    name: "confirm.passkey",
    method: "POST",
    path: "/confirm/passkey",
    audited: true,
    handle: confirmWithPasskey,
  },
  {
    name: "password.change",
    method: "POST",
    path: "/password",
    audited: true,
    handle: changePassword,
  },
  { name: "passkey.list", method: "GET", path: "/passkeys", audited: false, handle: listPasskeys },
  {
    name: "passkey.options",
    method: "POST",
    path: "/passkeys/options",
    audited: false,
    needsConfirmation: true,
    handle: createPasskeyOptions,
  },
  {
    name: "passkey.add",
    method: "POST",
    path: "/passkeys",
    audited: true,
    needsConfirmation: true,
    handle: addPasskey,
  },
  {
    name: "passkey.remove",
    method: "DELETE",
    path: "/passkeys/:id",
    audited: true,
    handle: removePasskey,
  },
];

/** All calls of this module, for tests. */
export const SIGN_IN_CALLS: readonly OwnCall[] = [...OPEN_CALLS, ...SESSION_CALLS];

const NOT_SIGNED_IN = refusedReply("Not signed in", 401);

/**
 * Adds the calls of the pages to the listener. While the clock is wrong, every call is rejected. Otherwise calls of
 * other sites' pages are rejected first, then calls without the session that they need; all before the body is read.
 */
export function addDashboardInterface(app: FastifyInstance, options: DashboardOptions): void {
  const { people, publicUrl, repeats, isClockWrong, log } = options;
  const cookie = sessionCookie(publicUrl);
  const browser = browserCookie(publicUrl);
  const forCalls: DashboardCallOptions = { ...options, cookie, browserCookie: browser };
  const routes = [
    ...ownRoutes(forCalls),
    ...options.routes.map((route) => pageRoute(forCalls, route)),
  ];
  const byName = new Map(routes.map((route) => [route.name, route]));
  const admit = async (request: FastifyRequest, route: string): Promise<Admitted<PageCaller>> => {
    if (isClockWrong()) return CLOCK_IS_WRONG;
    const foreign = foreignCallRefusal(request, publicUrl);
    if (foreign !== null) return foreign;
    const token = cookie.read(request.headers.cookie);
    const from = { ...originOf(request), browserToken: browser.read(request.headers.cookie) };
    const caller = { from, host: request.headers.host ?? "", token };
    if (byName.get(route)?.open === true) return { caller: { ...caller, signedIn: null } };
    const signedIn = token === null ? null : await people.sessions.find(token);
    return signedIn === null ? NOT_SIGNED_IN : { caller: { ...caller, signedIn } };
  };
  addJsonInterface<PageCaller>(app, {
    prefix: DASHBOARD_PREFIX,
    routes,
    authenticate: admit,
    carryOut: (received, { signedIn }, run) => {
      const caller = `person ${signedInOf(signedIn).person.personId}`;
      return carryOutKeyed(repeats, received, { caller, run });
    },
    onAnswered: async (call) => {
      const isAudited = byName.get(call.name)?.audited === true && !isReplayed(call.reply);
      if (isAudited) await auditCall(people.audit, call);
    },
    log,
  });
}

function ownRoutes(options: DashboardCallOptions): readonly DashboardRoute[] {
  return [
    ...OPEN_CALLS.map(({ handle, ...route }) => ({ ...route, open: true, handle })),
    ...SESSION_CALLS.map(({ handle, needsConfirmation = false, ...route }) => ({
      ...route,
      open: false,
      handle: forSignedIn(needsConfirmation ? whenConfirmed(handle) : handle),
    })),
  ].map(({ handle, ...route }) => ({
    ...route,
    handle: (call, caller) => handle(options, call, caller),
  }));
}

function whenConfirmed(handle: SignedInHandler): SignedInHandler {
  return async (options, call, caller) =>
    isConfirmed(caller.signedIn.session, options.clock.now())
      ? handle(options, call, caller)
      : NOT_CONFIRMED;
}

/** Adapts a call of another module, which gets the person and the session's id, but no other part of the session. */
function pageRoute(
  { clock }: DashboardCallOptions,
  { guard, handle, ...route }: PageRoute,
): DashboardRoute {
  const visitorOf = ({ signedIn, from }: PageCaller): Visitor => {
    const { person, session } = signedInOf(signedIn);
    const { sessionId } = session;
    const { address } = from;
    return { person, sessionId, address, isConfirmed: isConfirmed(session, clock.now()) };
  };
  return {
    ...route,
    open: false,
    ...(guard === undefined ? {} : { guard: (call, caller) => guard(call, visitorOf(caller)) }),
    handle: (call, caller) => handle(call, visitorOf(caller)),
  };
}

function signedInOf(signedIn: PersonalSession | null): PersonalSession {
  if (signedIn === null) throw new Error("broken invariant: no person is signed in");
  return signedIn;
}

const BROWSER_LENGTH_MAX = 200;

function originOf(request: FastifyRequest): CallOrigin {
  const browser = request.headers["user-agent"] ?? "";
  return { address: clientAddress(request), browser: browser.slice(0, BROWSER_LENGTH_MAX) };
}

/**
 * Writes a call to the audit. It leaves out the refusals that a client could cause endlessly: those of overload, and
 * those of a client without a session, except a 401.
 */
async function auditCall(
  audit: AuditLog,
  { request, name, caller, reply }: AnsweredCall<PageCaller>,
): Promise<void> {
  const { status } = reply;
  const isStrangers = caller?.signedIn == null && status !== 200 && status !== 401;
  const about = "about" in reply ? reply.about : undefined;
  // A 503 with details for the audit comes from the call itself, which may have stored a part of its work.
  const isTooBusy = status === 429 || (status === 503 && about === undefined);
  if (caller === null || isStrangers || isTooBusy) return;
  const by = about?.by ?? caller.signedIn?.person;
  const error = "error" in reply ? reply.error : null;
  await audit.append({
    personId: by?.personId ?? null,
    by: by?.name ?? "unknown caller",
    role: by?.role ?? "none",
    address: caller.from.address,
    deed: name,
    subject: about?.subject ?? stringMembersOf(request.params).id ?? null,
    accountId: about?.accountId ?? null,
    detail: about?.detail ?? error,
    succeeded: status === 200,
  });
}
