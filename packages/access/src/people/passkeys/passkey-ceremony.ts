import type { PersonId } from "@propgate/ledger";
import type * as Library from "@simplewebauthn/server";
import type { Passkey } from "../../storage/passkey.ts";
import type { RelyingParty } from "./relying-party.ts";

/** EdDSA (Ed25519), ES256 (P-256) and RS256 (RSA) by their COSE numbers: the algorithms of common devices. */
export const PASSKEY_ALGORITHMS: readonly number[] = [-8, -7, -257];

/** The result of `navigator.credentials.create`, with bytes as base64url. */
export interface AttestationReply {
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports: readonly string[];
  };
}

/** The result of `navigator.credentials.get`, with bytes as base64url. */
export interface AssertionReply {
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle: string | null;
  };
}

/** A new passkey, as the authenticator made it. */
export interface Credential {
  readonly id: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** The WebAuthn library. It is loaded at the first use of a passkey, because most processes never need it. */
export function loadWebAuthn(): Promise<typeof Library> {
  return import("@simplewebauthn/server");
}

/** The id of a person for authenticators: the bytes of a random id, which reveals nothing about the person. */
export function userHandleOf(personId: PersonId): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(personId);
}

/** The form of a challenge of `PasskeyChallenges`: 54 bytes in base64url. */
const CHALLENGE = /^[\w-]{72}$/;

/** The challenge that an answer names; null when it names none of the right form. */
export function challengeOf({
  response,
}: {
  readonly response: { readonly clientDataJSON: string };
}): string | null {
  try {
    const text = Buffer.from(response.clientDataJSON, "base64url").toString("utf8");
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("challenge" in value)) return null;
    const { challenge } = value;
    return typeof challenge === "string" && CHALLENGE.test(challenge) ? challenge : null;
  } catch {
    return null;
  }
}

/**
 * The new passkey; null when the answer does not match the challenge. The caller has checked that this service made the
 * challenge.
 */
export async function verifyAttestation(
  made: AttestationReply,
  challenge: string,
  party: RelyingParty,
): Promise<Credential | null> {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const { clientDataJSON, attestationObject, transports } = made.response;
  if (!(await hasNoCertificates(attestationObject))) return null;
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...made,
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    });
    return registrationInfo === undefined ? null : { ...registrationInfo.credential, transports };
  } catch {
    // The library throws an error with the reason, which clients must not see.
    return null;
  }
}

/**
 * Whether an answer has no attestation by certificates. The service requests none. The library would look up such
 * certificates at addresses that they contain, and a client must not choose to which addresses the service connects.
 */
async function hasNoCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  try {
    const decoded = decodeAttestationObject(
      new Uint8Array(Buffer.from(attestationObject, "base64url")),
    );
    const format = decoded.get("fmt");
    return (
      format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined)
    );
  } catch {
    return false;
  }
}

/**
 * The signature count that the authenticator reports; null when the passkey did not sign this challenge for this
 * person.
 */
export async function verifyAssertion(
  reply: AssertionReply,
  expected: { readonly challenge: string; readonly party: RelyingParty; readonly passkey: Passkey },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const { challenge, party, passkey } = expected;
  const { userHandle, ...response } = reply.response;
  if (userHandle !== null && !isHandleOf(passkey.personId, userHandle)) return null;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...reply, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: passkey.passkeyId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

function isHandleOf(personId: PersonId, handle: string): boolean {
  return Buffer.from(handle, "base64url").equals(userHandleOf(personId));
}
