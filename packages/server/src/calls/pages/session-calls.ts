import type { SessionLine } from "@propgate/contract";
import { problemReply } from "../json/json-fields.ts";
import { type JsonReply, okReply, refusedReply, wrongFieldReply } from "../json/json-reply.ts";
import { type SignedInHandler, sessionView } from "./dashboard-call.ts";
import { parseChangePassword, parseNothing } from "./dashboard-requests.ts";
import { brandWords, easyPasswordRefusal, signInRefusedReply } from "./sign-in-calls.ts";

export const showSession: SignedInHandler = async (options, _call, { signedIn, host }) =>
  okReply(sessionView(options, signedIn, host));

export const signOut: SignedInHandler = async (options, { body }, { signedIn: { session } }) => {
  const nothing = parseNothing(body);
  if (!nothing.ok) return problemReply(nothing);
  await options.people.sessions.end(session.personId, session.sessionId);
  return signedOutReply(options.cookie.clear());
};

export const signOutEverywhere: SignedInHandler = async (options, { body }, { signedIn }) => {
  const nothing = parseNothing(body);
  if (!nothing.ok) return problemReply(nothing);
  await options.people.sessions.endAll(signedIn.person.personId);
  return signedOutReply(options.cookie.clear());
};

function signedOutReply(cookie: string): JsonReply {
  return { status: 200, data: {}, headers: { "Set-Cookie": cookie } };
}

export const listSessions: SignedInHandler = async (options, _call, { signedIn }) => {
  const sessions = await options.people.sessions.list(signedIn.person.personId);
  const lines = sessions.map(
    ({ sessionId, signedInAtMs, lastSeenAtMs, address, browser }): SessionLine => ({
      sessionId,
      current: sessionId === signedIn.session.sessionId,
      signedInAtMs,
      lastSeenAtMs,
      address,
      browser,
    }),
  );
  return okReply(lines);
};

export const endSession: SignedInHandler = async (options, { parameters }, { signedIn }) => {
  const sessionId = parameters.id ?? "";
  const auditDetails = { subject: sessionId };
  if (await options.people.sessions.end(signedIn.person.personId, sessionId)) {
    return okReply({ sessionId }, auditDetails);
  }
  return refusedReply("Session not found, or ended before", 404);
};

export const changePassword: SignedInHandler = async (options, { body }, { signedIn, from }) => {
  const request = parseChangePassword(body);
  if (!request.ok) return problemReply(request);
  const { current, next } = request.value;
  const easy = easyPasswordRefusal("next", next, [signedIn.person.name, ...brandWords(options)]);
  if (easy !== null) return easy;
  const given = { password: current, next, address: from.address };
  const result = await options.people.passwords.change(signedIn, given);
  return result === "done" ? okReply({}) : signInRefusedReply(result, WRONG_PASSWORD);
};

const WRONG_PASSWORD = wrongFieldReply("current", "is not your password", 403);
