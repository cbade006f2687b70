import type { LinkView } from "@propgate/contract";
import { fine, type JsonReply, refused } from "../json/json-reply.ts";
import type { NewSession } from "../people/sessions.ts";
import type { SignInRefused } from "../people/sign-in.ts";
import {
  type DashboardNeeds,
  type PageCaller,
  type PageHandle,
  sessionView,
} from "./dashboard-call.ts";
import { parseLink, parseSignIn, parseUseLink } from "./dashboard-requests.ts";

export const signIn: PageHandle = async (need, { body }, caller) => {
  const request = parseSignIn(body);
  if (!request.ok) return refused(request.problem, 400);
  const result = await need.people.passwords.signIn(request.value, caller.from);
  if ("refused" in result) return signInRefused(result);
  return signedIn(need, result, caller);
};

export const lookAtLink: PageHandle = async (need, { body }) => {
  const request = parseLink(body);
  if (!request.ok) return refused(request.problem, 400);
  const link = await need.people.links.look(request.value.token);
  if (link === null) return NO_LINK;
  const { name, role } = link.person;
  const view: LinkView = { name, role, expiresAtMs: link.expiresAtMs };
  return fine(view);
};

export const useLink: PageHandle = async (need, { body }, caller) => {
  const request = parseUseLink(body);
  if (!request.ok) return refused(request.problem, 400);
  const session = await need.people.links.use(request.value, caller.from);
  if (session === null) return NO_LINK;
  return session === "busy" ? BUSY : signedIn(need, session, caller);
};

const NO_LINK = refused(
  "This link was used before, has expired or was replaced by a newer one; ask for another",
  404,
);

const BUSY: JsonReply = {
  status: 503,
  error: "Too many people sign in at once; try again in a few seconds",
  headers: { "Retry-After": "5" },
};

/** The answer of every way to sign in; the session that this browser had before ends. */
export async function signedIn(
  need: DashboardNeeds,
  begun: NewSession,
  { token, host }: PageCaller,
): Promise<JsonReply> {
  if (token !== null) await need.people.sessions.endByToken(token);
  return {
    status: 200,
    data: sessionView(need, begun, host),
    headers: { "Set-Cookie": need.cookie.set(begun.token) },
    about: { by: begun.person },
  };
}

/** `wrong` the same for all that it may be, so that nobody learns which names there are. */
export function signInRefused(
  result: SignInRefused,
  wrong = refused("Name or password is wrong", 401),
): JsonReply {
  if (result.refused === "busy") return BUSY;
  if (result.refused === "wait") return tooManyFailures(result.waitMs);
  return result.person === null ? wrong : { ...wrong, about: { by: result.person } };
}

const MS_PER_SECOND = 1_000;

export function tooManyFailures(waitMs: number): JsonReply {
  const seconds = Math.ceil(waitMs / MS_PER_SECOND);
  return {
    status: 429,
    error: `Too many failed attempts; try again in ${inWords(seconds)}`,
    headers: { "Retry-After": String(seconds) },
  };
}

function inWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
