import type { PersonId } from "@propgate/ledger";
import type * as Library from "@simplewebauthn/server";
import type { Passkey } from "../../storage/passkey.ts";
import type { RelyingParty } from "./relying-party.ts";

/** Ed25519, P-256 and RSA by their COSE numbers: the algorithms of common devices. */
export const PASSKEY_ALGORITHMS: readonly number[] = [-8, -7, -257];

/** The result of `navigator.credentials.create`; bytes are base64url. */
export interface CreatedByAuthenticator {
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports: readonly string[];
  };
}

/** The result of `navigator.credentials.get`; bytes are base64url. */
export interface AuthenticatorReply {
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

/** A key as the authenticator made it. */
export interface Credential {
  readonly id: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** Loaded at the first use of a passkey: most processes never need it. */
export function webAuthn(): Promise<typeof Library> {
  return import("@simplewebauthn/server");
}

/** The person's id for authenticators: bytes that say nothing about the person. */
export function handleOf(personId: PersonId): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(personId);
}

/** The form of `PasskeyChallenges`: 54 bytes in base64url. */
const CHALLENGE = /^[\w-]{72}$/;

/** The challenge of the answer; null when it has none. */
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

/** Null when the answer does not match. The challenge is already known to be ours. */
export async function verifyCreated(
  made: CreatedByAuthenticator,
  challenge: string,
  party: RelyingParty,
): Promise<Credential | null> {
  const { verifyRegistrationResponse } = await webAuthn();
  const { clientDataJSON, attestationObject, transports } = made.response;
  if (!(await vouchesForItself(attestationObject))) return null;
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
    // The library throws the reason, which clients must not see.
    return null;
  }
}

/**
 * We request no attestation. Its certificates would be looked up at addresses that they contain, and a client must not
 * choose where this service connects.
 */
async function vouchesForItself(attestationObject: string): Promise<boolean> {
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

/** The authenticator's new count; null when the passkey did not sign this. */
export async function verifySigned(
  reply: AuthenticatorReply,
  expected: { readonly challenge: string; readonly party: RelyingParty; readonly passkey: Passkey },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await webAuthn();
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
  return Buffer.from(handle, "base64url").equals(handleOf(personId));
}
