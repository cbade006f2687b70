import type { Clock } from "@propgate/base";
import { addAlert, type Database, type PersonId, type Queryable } from "@propgate/ledger";
import type { Passkey } from "../../storage/passkey.ts";
import { createPasskeyStore } from "../../storage/passkey-store.ts";
import type { Person } from "../../storage/person.ts";
import { createPersonStore } from "../../storage/person-store.ts";
import type { CallOrigin, PersonalSession, Session } from "../../storage/session.ts";
import type { FailureLimits } from "../limits/failure-limits.ts";
import { createPasskeyChallengeLimits } from "../limits/passkey-challenge-limits.ts";
import type { Sessions } from "../sessions.ts";
import { attemptRefusal, type SignInRefusal, type SignInResult } from "../sign-in.ts";
import {
  type AssertionReply,
  type AttestationReply,
  challengeOf,
  loadWebAuthn,
  PASSKEY_ALGORITHMS,
  userHandleOf,
  verifyAssertion,
  verifyAttestation,
} from "./passkey-ceremony.ts";
import {
  CHALLENGE_LIFE_MS,
  type ChallengePurpose,
  type PasskeyChallenges,
} from "./passkey-challenges.ts";
import type { RelyingParty } from "./relying-party.ts";

/** Maximum number of passkeys of one person. */
export const PASSKEYS_OF_PERSON_MAX = 20;

/** The person who adds a passkey, with the client's address and the domain of the request. */
export interface PasskeyOwner {
  readonly person: Person;
  readonly address: string;
  readonly party: RelyingParty;
}

/** Passkeys, with which people sign in instead of with a password. Options and answers are WebAuthn's JSON. */
export interface Passkeys {
  list(personId: PersonId): Promise<readonly Passkey[]>;
  /** The options with which the browser creates a passkey. */
  addOptions(owner: PasskeyOwner): Promise<object>;
  /**
   * Adds a passkey. `wrong` when the response does not answer a challenge of the last five minutes for this person,
   * when its passkey is stored already, and when the person is disabled. `full` when the person has the maximum number.
   */
  add(
    owner: PasskeyOwner,
    made: { readonly label: string; readonly response: AttestationReply },
  ): Promise<Passkey | "wrong" | "full">;
  /** Removes a passkey. False when the person has no such passkey. */
  remove(personId: PersonId, passkeyId: string): Promise<boolean>;
  /**
   * The options with which the browser requests any passkey of this service, without a typed name. Returns the wait
   * instead when the client's network, in the sense of `clientNetworkOf`, has requested too many.
   */
  signInOptions(party: RelyingParty, from: CallOrigin): Promise<object | TooManyChallenges>;
  signIn(response: AssertionReply, party: RelyingParty, from: CallOrigin): Promise<SignInResult>;
  /**
   * The options with which the browser requests a passkey that is older than the session; null when the person has
   * none.
   */
  confirmOptions(signedIn: PersonalSession, party: RelyingParty): Promise<object | null>;
  /**
   * Confirms the session. `wrong` when the passkey is not the person's, is not older than the session, or does not
   * answer a challenge that was made for a confirmation by this person. Also refused after too many failures.
   */
  confirm(
    signedIn: PersonalSession,
    response: AssertionReply,
    origin: { readonly party: RelyingParty; readonly address: string },
  ): Promise<"done" | SignInRefusal>;
}

/**
 * The refusal of a further challenge for the client's network, in the sense of `clientNetworkOf`, with the wait in
 * milliseconds.
 */
export interface TooManyChallenges {
  readonly refused: "wait";
  readonly waitMs: number;
}

interface PasskeyOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: FailureLimits;
  readonly sessions: Sessions;
  readonly challenges: PasskeyChallenges;
}

export function createPasskeys(options: PasskeyOptions): Passkeys {
  const store = createPasskeyStore(options.database);
  const limits = createPasskeyChallengeLimits(options);
  return {
    list: (personId) => store.listOfPerson(personId),
    async addOptions({ person, party }) {
      const own = await store.listOfPerson(person.personId);
      const { generateRegistrationOptions } = await loadWebAuthn();
      return generateRegistrationOptions({
        rpName: party.name,
        rpID: party.id,
        userName: person.name,
        userDisplayName: person.name,
        userID: userHandleOf(person.personId),
        challenge: options.challenges.create({ to: "add", personId: person.personId }),
        timeout: CHALLENGE_LIFE_MS,
        attestationType: "none",
        excludeCredentials: own.map(credentialDescriptor),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
      });
    },
    add: (owner, made) => add(options, owner, made),
    remove: async (personId, passkeyId) =>
      PASSKEY_ID.test(passkeyId) && store.remove(personId, passkeyId),
    async signInOptions(party, from) {
      const waitMs = limits.countOrWaitMs(from.address);
      if (waitMs > 0) return { refused: "wait", waitMs };
      return requestOptions(party, options.challenges.create({ to: "sign-in" }));
    },
    signIn: (response, party, from) => signIn(options, response, { party, from }),
    async confirmOptions({ person, session }, party) {
      const older = (await store.listOfPerson(person.personId)).filter((one) =>
        isOlderThanSession(one, session),
      );
      if (older.length === 0) return null;
      const challenge = options.challenges.create({ to: "confirm", personId: person.personId });
      return requestOptions(party, challenge, older);
    },
    confirm: (signedIn, response, origin) => confirm(options, signedIn, { response, ...origin }),
  };
}

async function requestOptions(
  party: RelyingParty,
  challenge: Uint8Array<ArrayBuffer>,
  allowed: readonly Passkey[] | null = null,
): Promise<object> {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge,
    timeout: CHALLENGE_LIFE_MS,
    userVerification: "required",
    ...(allowed === null ? {} : { allowCredentials: allowed.map(credentialDescriptor) }),
  });
}

function credentialDescriptor({ passkeyId, transports }: Passkey) {
  return { id: passkeyId, transports: [...transports] };
}

/**
 * Whether the passkey is older than the session. A passkey that was added within the session proves no more than the
 * session itself.
 */
function isOlderThanSession({ createdAtMs }: Passkey, { signedInAtMs }: Session): boolean {
  return createdAtMs < signedInAtMs;
}

/** The form of a passkey's id: base64url, as for every authenticator. */
const PASSKEY_ID = /^[\w-]+$/;

async function add(
  { database, clock, challenges }: PasskeyOptions,
  { person, party }: PasskeyOwner,
  made: { readonly label: string; readonly response: AttestationReply },
): Promise<Passkey | "wrong" | "full"> {
  const { personId } = person;
  const challenge = challengeOf(made.response);
  const answered = challenge === null ? null : challenges.open(challenge, { to: "add", personId });
  if (challenge === null || answered === null) return "wrong";
  const nowMs = clock.now();
  const credential = await verifyAttestation(made.response, challenge, party);
  if (credential === null) return "wrong";
  const passkey: Passkey = {
    passkeyId: credential.id,
    personId,
    label: made.label,
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports: credential.transports,
    createdAtMs: nowMs,
    lastUsedAtMs: null,
  };
  return database.transaction(async (transaction) => {
    // The lock on the person makes counting and inserting one step.
    if (!(await createPersonStore(transaction).lockEnabled(personId))) return "wrong";
    const within = createPasskeyStore(transaction);
    if (!(await within.recordAnswer(answered, nowMs))) return "wrong";
    if ((await within.listOfPerson(personId)).length >= PASSKEYS_OF_PERSON_MAX) return "full";
    if (!(await within.insert(passkey))) return "wrong";
    await addAlert(transaction, {
      type: "passkey.added",
      cause: `${passkey.passkeyId} ${nowMs}`,
      ownerId: person.ownerId,
      accountId: null,
      atMs: nowMs,
      data: { label: passkey.label },
    });
    return passkey;
  });
}

async function signIn(
  options: PasskeyOptions,
  response: AssertionReply,
  { party, from }: { readonly party: RelyingParty; readonly from: CallOrigin },
): Promise<SignInResult> {
  const attempt = await options.limits.begin({ by: "passkey" }, from.address);
  if (!attempt.ok) return attemptRefusal(attempt);
  const { person, markUsed } = await verifyReply(options, {
    response,
    party,
    about: { to: "sign-in" },
  });
  if (person === null || markUsed === null) return { refused: "wrong", person };
  const begun = await options.database.transaction(async (transaction) =>
    (await markUsed(transaction)) ? options.sessions.begin(person, from, transaction) : null,
  );
  if (begun === null) return { refused: "wrong", person };
  await attempt.recordSuccess();
  return begun;
}

async function confirm(
  options: PasskeyOptions,
  { person, session }: PersonalSession,
  given: {
    readonly response: AssertionReply;
    readonly party: RelyingParty;
    readonly address: string;
  },
): Promise<"done" | SignInRefusal> {
  const { personId } = person;
  const attempt = await options.limits.begin({ by: "person", personId }, given.address);
  if (!attempt.ok) return attemptRefusal(attempt);
  const found = await verifyReply(options, { ...given, about: { to: "confirm", personId } });
  const isTheirs = found.person?.personId === personId && found.passkey !== null;
  const isFine =
    isTheirs &&
    isOlderThanSession(found.passkey, session) &&
    found.markUsed !== null &&
    (await options.database.transaction(found.markUsed));
  if (!isFine) return { refused: "wrong", person };
  await options.sessions.confirm(session.sessionId);
  await attempt.recordSuccess();
  return "done";
}

interface VerifiedReply {
  /**
   * The owner of the passkey that the reply names, even when the passkey did not sign the reply. Null when the
   * challenge is not valid or the passkey unknown.
   */
  readonly person: Person | null;
  readonly passkey: Passkey | null;
  /**
   * Uses the reply; null when the passkey did not sign the challenge. To be called in the transaction that acts on the
   * reply. It returns false when the challenge was answered before, when the authenticator's count shows that the
   * passkey may have been copied, and when the person is disabled.
   */
  readonly markUsed: ((transaction: Queryable) => Promise<boolean>) | null;
}

async function verifyReply(
  { database, clock, challenges }: PasskeyOptions,
  given: {
    readonly response: AssertionReply;
    readonly party: RelyingParty;
    readonly about: ChallengePurpose;
  },
): Promise<VerifiedReply> {
  const { response, party, about } = given;
  const challenge = challengeOf(response);
  const answered = challenge === null ? null : challenges.open(challenge, about);
  if (challenge === null || answered === null)
    return { person: null, passkey: null, markUsed: null };
  const passkey = await createPasskeyStore(database).find(response.id);
  if (passkey === null) return { person: null, passkey: null, markUsed: null };
  const person = (await createPersonStore(database).readById(passkey.personId))?.person ?? null;
  const counter = await verifyAssertion(response, { challenge, party, passkey });
  if (counter === null || person === null) return { person, passkey, markUsed: null };
  const used = async (transaction: Queryable): Promise<boolean> => {
    const atMs = clock.now();
    const store = createPasskeyStore(transaction);
    return (
      (await createPersonStore(transaction).lockEnabled(person.personId)) &&
      (await store.recordAnswer(answered, atMs)) &&
      (await store.recordUse(passkey.passkeyId, { counter, atMs }))
    );
  };
  return { person, passkey, markUsed: used };
}
