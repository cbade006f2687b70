import { unixMs } from "@propgate/core";
import type { Clock } from "../clock.ts";
import type { Chance } from "../random.ts";
import type { Database } from "../storage/database.ts";
import { passkeyStore } from "../storage/stores/people/passkey-store.ts";
import { personStore } from "../storage/stores/people/person-store.ts";
import type { FailureLimits } from "./failure-limits.ts";
import type { Passkey } from "./passkey.ts";
import {
  type AuthenticatorReply,
  type CreatedByAuthenticator,
  challengeOf,
  handleOf,
  PASSKEY_ALGORITHMS,
  verifyCreated,
  verifySigned,
  webAuthn,
} from "./passkey-ceremony.ts";
import type { Person, PersonId } from "./person.ts";
import type { RelyingParty } from "./relying-party.ts";
import type { CallOrigin } from "./session.ts";
import type { Sessions } from "./sessions.ts";
import type { SignInResult } from "./sign-in.ts";

export const CHALLENGE_LIFE_MS = 5 * 60_000;
/** More at once from one address are somebody's flood; the oldest go. */
const CHALLENGES_OF_ADDRESS_MAX = 100;
export const PASSKEYS_OF_PERSON_MAX = 20;
const CHALLENGE_BYTES = 32;

/** Who adds a passkey, and where. */
export interface PasskeyOwner {
  readonly person: Person;
  readonly address: string;
  readonly party: RelyingParty;
}

/** Signing in with what a device holds instead of a password. Options and responses are WebAuthn's JSON. */
export interface Passkeys {
  list(personId: PersonId): Promise<readonly Passkey[]>;
  /** What the browser needs to make one. */
  addOptions(owner: PasskeyOwner): Promise<object>;
  /** `wrong`: not an answer to a question that was asked of this person in the last five minutes. */
  add(
    owner: PasskeyOwner,
    made: { readonly label: string; readonly response: CreatedByAuthenticator },
  ): Promise<Passkey | "wrong" | "full">;
  /** False: the person has no such passkey. */
  remove(personId: PersonId, passkeyId: string): Promise<boolean>;
  /** What the browser needs to ask for any passkey of this service; no name is typed. */
  signInOptions(party: RelyingParty, from: CallOrigin): Promise<object>;
  signIn(
    response: AuthenticatorReply,
    party: RelyingParty,
    from: CallOrigin,
  ): Promise<SignInResult>;
}

interface PasskeyNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly limits: FailureLimits;
  readonly sessions: Sessions;
}

export function createPasskeys(need: PasskeyNeeds): Passkeys {
  const store = passkeyStore(need.database);
  const ask = asker(need);
  return {
    list: (personId) => store.ofPerson(personId),
    async addOptions({ person, address, party }) {
      const own = await store.ofPerson(person.personId);
      const { generateRegistrationOptions } = await webAuthn();
      return generateRegistrationOptions({
        rpName: party.name,
        rpID: party.id,
        userName: person.name,
        userDisplayName: person.name,
        userID: handleOf(person.personId),
        challenge: await ask(person.personId, address),
        timeout: CHALLENGE_LIFE_MS,
        attestationType: "none",
        excludeCredentials: own.map(({ passkeyId, transports }) => ({
          id: passkeyId,
          transports: [...transports],
        })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
      });
    },
    add: (owner, made) => add(need, owner, made),
    remove: async (personId, passkeyId) =>
      PASSKEY_ID.test(passkeyId) && store.remove(personId, passkeyId),
    async signInOptions(party, from) {
      const { generateAuthenticationOptions } = await webAuthn();
      return generateAuthenticationOptions({
        rpID: party.id,
        challenge: await ask(null, from.address),
        timeout: CHALLENGE_LIFE_MS,
        userVerification: "required",
      });
    },
    async signIn(response, party, from) {
      const attempt = await need.limits.begin(null, from.address);
      if (!attempt.ok) return { refused: "wait", waitMs: attempt.waitMs };
      const signer = await signedBy(need, response, party);
      if (!("person" in signer)) return { refused: "wrong", person: signer.claimed };
      await need.limits.succeeded(null, from.address);
      return need.sessions.begin(signer.person, from);
    },
  };
}

/** Base64url, as every authenticator's is. */
const PASSKEY_ID = /^[\w-]+$/;

function asker({ database, clock, chance }: PasskeyNeeds) {
  return async (personId: PersonId | null, address: string): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = new Uint8Array(chance.bytes(CHALLENGE_BYTES));
    const atMs = clock.now();
    await passkeyStore(database).ask(
      {
        challenge: Buffer.from(bytes).toString("base64url"),
        ...{ personId, address },
        expiresAtMs: unixMs(atMs + CHALLENGE_LIFE_MS),
      },
      { atMs, most: CHALLENGES_OF_ADDRESS_MAX },
    );
    return bytes;
  };
}

async function add(
  { database, clock }: PasskeyNeeds,
  { person, party }: PasskeyOwner,
  made: { readonly label: string; readonly response: CreatedByAuthenticator },
): Promise<Passkey | "wrong" | "full"> {
  const { personId } = person;
  const store = passkeyStore(database);
  const challenge = challengeOf(made.response);
  if (challenge === null) return "wrong";
  const nowMs = clock.now();
  if (!(await store.answer(challenge, { personId, atMs: nowMs }))) return "wrong";
  const credential = await verifyCreated(made.response, challenge, party);
  if (credential === null) return "wrong";
  if ((await store.ofPerson(personId)).length >= PASSKEYS_OF_PERSON_MAX) return "full";
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
  return (await store.insert(passkey)) ? passkey : "wrong";
}

/** Whose passkey has signed; else whose it claims to be. */
async function signedBy(
  { database, clock }: PasskeyNeeds,
  response: AuthenticatorReply,
  party: RelyingParty,
): Promise<{ readonly person: Person } | { readonly claimed: Person | null }> {
  const store = passkeyStore(database);
  const challenge = challengeOf(response);
  if (challenge === null) return { claimed: null };
  const atMs = clock.now();
  if (!(await store.answer(challenge, { personId: null, atMs }))) return { claimed: null };
  const passkey = await store.find(response.id);
  if (passkey === null) return { claimed: null };
  const known = await personStore(database).byId(passkey.personId);
  const person = known?.person ?? null;
  const counter = await verifySigned(response, { challenge, party, passkey });
  const isFine =
    counter !== null &&
    person !== null &&
    person.disabledAtMs === null &&
    (await store.used(passkey.passkeyId, { counter, atMs }));
  return isFine ? { person } : { claimed: person };
}
