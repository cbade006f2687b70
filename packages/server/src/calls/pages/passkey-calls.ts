import {
  PASSKEYS_OF_PERSON_MAX,
  type Passkey,
  type PasskeyOwner,
  type RelyingParty,
  relyingPartyOf,
} from "@propgate/access";
import type { PasskeyLine } from "@propgate/contract";
import { problemReply } from "../json/json-fields.ts";
import { type JsonReply, okReply, refusedReply } from "../json/json-reply.ts";
import type {
  DashboardCallOptions,
  PageCaller,
  PageHandler,
  SignedInCaller,
  SignedInHandler,
} from "./dashboard-call.ts";
import { parseNewPasskey, parseNothing, parsePasskeyReply } from "./dashboard-requests.ts";
import { signedInReply, signInRefusedReply, tooManyReply } from "./sign-in-calls.ts";

/** The refusal where the service's address allows no passkeys. */
export const NO_PASSKEYS: JsonReply = refusedReply(
  "There are no passkeys at this address: they need https and a name, set as PROPGATE_PUBLIC_URL, or localhost",
);

/** The service as the relying party of WebAuthn; null when there can be no passkeys at its address. */
export function partyOf(options: DashboardCallOptions, { host }: PageCaller): RelyingParty | null {
  return relyingPartyOf({ publicUrl: options.publicUrl, host, name: options.networkName });
}

function ownerOf(options: DashboardCallOptions, caller: SignedInCaller): PasskeyOwner | null {
  const party = partyOf(options, caller);
  if (party === null) return null;
  return { person: caller.signedIn.person, address: caller.from.address, party };
}

/** Answers the options with which a browser requests a passkey for a sign-in. */
export const signInOptions: PageHandler = async (options, { body }, caller) => {
  const nothing = parseNothing(body);
  if (!nothing.ok) return problemReply(nothing);
  const party = partyOf(options, caller);
  if (party === null) return NO_PASSKEYS;
  const request = await options.people.passkeys.signInOptions(party, caller.from);
  return "refused" in request ? tooManyChallenges(request.waitMs) : okReply(request);
};

function tooManyChallenges(waitMs: number): JsonReply {
  return tooManyReply("Too many passkey challenges were requested", waitMs);
}

export const signInWithPasskey: PageHandler = async (options, { body }, caller) => {
  const request = parsePasskeyReply(body);
  if (!request.ok) return problemReply(request);
  const party = partyOf(options, caller);
  if (party === null) return NO_PASSKEYS;
  const result = await options.people.passkeys.signIn(request.value, party, caller.from);
  if ("refused" in result) return signInRefusedReply(result, WRONG_PASSKEY);
  return signedInReply(options, result, caller);
};

const WRONG_PASSKEY = refusedReply(
  "This passkey was not accepted; try again, or sign in with your password",
  401,
);

export const listPasskeys: SignedInHandler = async (options, _call, { signedIn: { person } }) =>
  okReply((await options.people.passkeys.list(person.personId)).map(passkeyLine));

/** Answers the options with which a browser creates a passkey. */
export const createPasskeyOptions: SignedInHandler = async (options, { body }, caller) => {
  const nothing = parseNothing(body);
  if (!nothing.ok) return problemReply(nothing);
  const owner = ownerOf(options, caller);
  return owner === null ? NO_PASSKEYS : okReply(await options.people.passkeys.addOptions(owner));
};

export const addPasskey: SignedInHandler = async (options, { body }, caller) => {
  const request = parseNewPasskey(body);
  if (!request.ok) return problemReply(request);
  const owner = ownerOf(options, caller);
  if (owner === null) return NO_PASSKEYS;
  const added = await options.people.passkeys.add(owner, request.value);
  if (added === "wrong") return NOT_ADDED;
  if (added === "full") {
    return refusedReply(
      `You have ${PASSKEYS_OF_PERSON_MAX} passkeys, which is the maximum; remove one`,
    );
  }
  const about = { subject: added.passkeyId.slice(0, SUBJECT_LENGTH), detail: added.label };
  return okReply(passkeyLine(added), about);
};

/** How many characters of a passkey's id the audit gets. They are enough to distinguish passkeys. */
const SUBJECT_LENGTH = 100;

const NOT_ADDED = refusedReply("The passkey was not accepted; begin again");

export const removePasskey: SignedInHandler = async (
  options,
  { parameters },
  { signedIn: who },
) => {
  const passkeyId = parameters.id ?? "";
  const about = { subject: passkeyId.slice(0, SUBJECT_LENGTH) };
  if (await options.people.passkeys.remove(who.person.personId, passkeyId)) {
    return okReply({ passkeyId }, about);
  }
  return refusedReply("Passkey not found, or removed before", 404);
};

function passkeyLine({ passkeyId, label, createdAtMs, lastUsedAtMs }: Passkey): PasskeyLine {
  return { passkeyId, label, createdAtMs, lastUsedAtMs };
}
