import type { PasskeyLine } from "@propgate/contract";
import {
  PASSKEYS_OF_PERSON_MAX,
  type PasskeyOwner,
} from "../../access/people/passkeys/passkeys.ts";
import { type RelyingParty, relyingParty } from "../../access/people/passkeys/relying-party.ts";
import type { Passkey } from "../../storage/rows/passkey.ts";
import { fine, type JsonReply, refused } from "../json/json-reply.ts";
import type {
  DashboardCallOptions,
  PageCaller,
  PageHandle,
  SignedInCaller,
  SignedInHandle,
} from "./dashboard-call.ts";
import { parseNewPasskey, parseNothing, parsePasskeyReply } from "./dashboard-requests.ts";
import { signedIn, signInRefused, tooMany } from "./sign-in-calls.ts";

export const NO_PASSKEYS: JsonReply = refused(
  "There are no passkeys at this address: they need https and a name, set as PROPGATE_PUBLIC_URL, or localhost",
);

export function partyOf(need: DashboardCallOptions, { host }: PageCaller): RelyingParty | null {
  return relyingParty({ publicUrl: need.publicUrl, host, name: need.networkName });
}

function ownerOf(need: DashboardCallOptions, caller: SignedInCaller): PasskeyOwner | null {
  const party = partyOf(need, caller);
  if (party === null) return null;
  return { person: caller.signedIn.person, address: caller.from.address, party };
}

export const signInOptions: PageHandle = async (need, { body }, caller) => {
  const nothing = parseNothing(body);
  if (!nothing.ok) return refused(nothing.problem, 400);
  const party = partyOf(need, caller);
  if (party === null) return NO_PASSKEYS;
  const options = await need.people.passkeys.signInOptions(party, caller.from);
  return "refused" in options ? tooManyQuestions(options.waitMs) : fine(options);
};

function tooManyQuestions(waitMs: number): JsonReply {
  return tooMany("Too many passkey challenges were requested", waitMs);
}

export const signInWithPasskey: PageHandle = async (need, { body }, caller) => {
  const request = parsePasskeyReply(body);
  if (!request.ok) return refused(request.problem, 400);
  const party = partyOf(need, caller);
  if (party === null) return NO_PASSKEYS;
  const result = await need.people.passkeys.signIn(request.value, party, caller.from);
  if ("refused" in result) return signInRefused(result, WRONG_PASSKEY);
  return signedIn(need, result, caller);
};

const WRONG_PASSKEY = refused(
  "This passkey was not accepted; try again, or sign in with your password",
  401,
);

export const listPasskeys: SignedInHandle = async (need, _call, { signedIn: { person } }) =>
  fine((await need.people.passkeys.list(person.personId)).map(passkeyLine));

export const addOptions: SignedInHandle = async (need, { body }, caller) => {
  const nothing = parseNothing(body);
  if (!nothing.ok) return refused(nothing.problem, 400);
  const owner = ownerOf(need, caller);
  return owner === null ? NO_PASSKEYS : fine(await need.people.passkeys.addOptions(owner));
};

export const addPasskey: SignedInHandle = async (need, { body }, caller) => {
  const request = parseNewPasskey(body);
  if (!request.ok) return refused(request.problem, 400);
  const owner = ownerOf(need, caller);
  if (owner === null) return NO_PASSKEYS;
  const added = await need.people.passkeys.add(owner, request.value);
  if (added === "wrong") return NOT_ADDED;
  if (added === "full") {
    return refused(`You have ${PASSKEYS_OF_PERSON_MAX} passkeys, which is the maximum; remove one`);
  }
  const about = { subject: added.passkeyId.slice(0, SUBJECT_LENGTH), detail: added.label };
  return fine(passkeyLine(added), about);
};

/** The first characters of an id, enough to distinguish passkeys. */
const SUBJECT_LENGTH = 100;

const NOT_ADDED = refused("The passkey was not accepted; begin again");

export const removePasskey: SignedInHandle = async (need, { parameters }, { signedIn: who }) => {
  const passkeyId = parameters.id ?? "";
  const about = { subject: passkeyId.slice(0, SUBJECT_LENGTH) };
  if (await need.people.passkeys.remove(who.person.personId, passkeyId)) {
    return fine({ passkeyId }, about);
  }
  return refused("Passkey not found, or removed before", 404);
};

function passkeyLine({ passkeyId, label, createdAtMs, lastUsedAtMs }: Passkey): PasskeyLine {
  return { passkeyId, label, createdAtMs, lastUsedAtMs };
}
