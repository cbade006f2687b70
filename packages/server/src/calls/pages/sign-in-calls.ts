import { type NewSession, passwordProblem, type SignInRefusal } from "@propgate/access";
import type { LinkView } from "@propgate/contract";
import { problemReply } from "../json/json-fields.ts";
import {
  type JsonReply,
  okReply,
  type RefusedReply,
  refusedReply,
  wrongFieldReply,
} from "../json/json-reply.ts";
import {
  type DashboardCallOptions,
  type PageCaller,
  type PageHandler,
  sessionView,
} from "./dashboard-call.ts";
import { parseLink, parseSignIn, parseUseLink } from "./dashboard-requests.ts";

export const signIn: PageHandler = async (options, { body }, caller) => {
  const request = parseSignIn(body);
  if (!request.ok) return problemReply(request);
  const result = await options.people.passwords.signIn(request.value, caller.from);
  if ("refused" in result) return signInRefusedReply(result);
  return signedInReply(options, result, caller);
};

/** Answers whom a one-time link is for. The link stays valid. */
export const showLink: PageHandler = async (options, { body }) => {
  const request = parseLink(body);
  if (!request.ok) return problemReply(request);
  const link = await options.people.links.find(request.value.token);
  if (link === null) return NO_LINK;
  const { personId, name, role, ownerId } = link.person;
  const view: LinkView = {
    name,
    role,
    expiresAtMs: link.expiresAtMs,
    passkeys: (await options.people.passkeys.list(personId)).length,
    activeKeys: ownerId === null ? null : (await options.keys.countKeysOf(ownerId)).active,
  };
  return okReply(view);
};

/**
 * Sets the password of the person for whom the one-time link was made, and signs the person in. On request it first
 * revokes the keys of the person's accounts.
 */
export const useLink: PageHandler = async (options, { body }, caller) => {
  const request = parseUseLink(body);
  if (!request.ok) return problemReply(request);
  const { revokeKeys = false, ...given } = request.value;
  const link = await options.people.links.find(given.token);
  if (link === null) return NO_LINK;
  const easy = easyPasswordRefusal("password", given.password, [
    link.person.name,
    ...brandWords(options),
  ]);
  if (easy !== null) return easy;
  // The API keys are revoked first: when a later step fails, the link still works, and the person can try again.
  const { ownerId, name } = link.person;
  const revoked =
    revokeKeys && ownerId !== null ? await options.keys.changeOfOwner(ownerId, "revoke", name) : 0;
  const session = await options.people.links.use(given, caller.from);
  if (session === null) return NO_LINK;
  if (session === "busy") return BUSY;
  const reply = await signedInReply(options, session, caller);
  return revoked === 0
    ? reply
    : { ...reply, about: { ...reply.about, detail: revokedText(revoked) } };
};

function revokedText(keys: number): string {
  return `${keys} API ${keys === 1 ? "key" : "keys"} revoked`;
}

/** The refusal of a password that is easy to guess; null when the password is accepted. */
export function easyPasswordRefusal(
  field: string,
  password: string,
  words: readonly string[],
): RefusedReply | null {
  const problem = passwordProblem(password, words);
  return problem === null ? null : wrongFieldReply(field, problem);
}

/** Words that an attacker would try first. */
export function brandWords({ brand, networkName }: DashboardCallOptions): readonly string[] {
  return [brand, networkName];
}

const NO_LINK = refusedReply(
  "This link was used before, has expired or was replaced by a newer one; ask the operator for another",
  404,
);

const BUSY: JsonReply = {
  status: 503,
  error: "Too many people are signing in; try again in a few seconds",
  headers: { "Retry-After": "5" },
};

/** The answer to every kind of sign-in, with both cookies. Ends the browser's earlier session. */
export async function signedInReply(
  options: DashboardCallOptions,
  begun: NewSession,
  { token, host }: PageCaller,
): Promise<Extract<JsonReply, { data: unknown }>> {
  if (token !== null) await options.people.sessions.endByToken(token);
  return {
    status: 200,
    data: sessionView(options, begun, host),
    headers: {
      "Set-Cookie": [
        options.cookie.set(begun.token),
        options.browserCookie.set(begun.browserToken),
      ],
    },
    about: { by: begun.person },
  };
}

/**
 * The answer to a sign-in or confirmation that failed. `wrong` is the same for every wrong password or passkey, so that
 * an attacker cannot find out which names exist.
 */
export function signInRefusedReply(
  result: SignInRefusal,
  wrong = refusedReply("Wrong name or password. Passwords are case-sensitive.", 401),
): JsonReply {
  if (result.refused === "busy") return BUSY;
  if (result.refused === "wait") return tooManyFailures(result.waitMs);
  return result.person === null ? wrong : { ...wrong, about: { by: result.person } };
}

const MS_PER_SECOND = 1_000;

function tooManyFailures(waitMs: number): JsonReply {
  return tooManyReply("Too many failed attempts", waitMs);
}

/** A 429 with the wait in its text and in `Retry-After`. */
export function tooManyReply(what: string, waitMs: number): JsonReply {
  const seconds = Math.ceil(waitMs / MS_PER_SECOND);
  return {
    status: 429,
    error: `${what}; try again in ${durationInWords(seconds)}`,
    headers: { "Retry-After": String(seconds) },
  };
}

function durationInWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
