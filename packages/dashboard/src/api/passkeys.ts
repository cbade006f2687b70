import type { ConfirmationView, PasskeyLine, SessionView } from "@propgate/contract";
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import { CallFailed, postData } from "./call.ts";

/** False where passkeys are impossible: an old browser, no TLS, or an IP address instead of a name. */
export function hasPasskeys(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(location.hostname);
  return browserSupportsWebAuthn() && !isAddress;
}

/** Signs in with a passkey, which the browser's own window asks for. @throws CallFailed, or the browser's error */
export async function signInWithPasskey(): Promise<SessionView> {
  return finishSignIn(await startAuthentication({ optionsJSON: await signInOptions() }));
}

/**
 * Offers passkeys in the browser's list below the name field, until `ended` aborts. Resolves with null when the browser
 * has no such list, or when no passkey was chosen. @throws CallFailed when the service rejects the chosen passkey
 */
export async function signInFromSuggestion(ended: AbortSignal): Promise<SessionView | null> {
  if (!(await browserSupportsWebAuthnAutofill())) return null;
  const chosen = await readSuggestedPasskey(ended);
  return chosen === null ? null : finishSignIn(chosen);
}

type Assertion = Awaited<ReturnType<typeof startAuthentication>>;

/** The chosen passkey. The offer is optional, so any failure counts as no choice: null. */
async function readSuggestedPasskey(ended: AbortSignal): Promise<Assertion | null> {
  try {
    const optionsJSON = await signInOptions();
    if (ended.aborted) return null;
    ended.addEventListener("abort", () => WebAuthnAbortService.cancelCeremony());
    return await startAuthentication({ optionsJSON, useBrowserAutofill: true });
  } catch {
    return null;
  }
}

function signInOptions(): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return postData<PublicKeyCredentialRequestOptionsJSON>("sign-in/passkey/options");
}

function finishSignIn(response: Assertion): Promise<SessionView> {
  return postData<SessionView>("sign-in/passkey", { response });
}

/** Makes a passkey on this device for the signed-in person. @throws CallFailed, or the browser's error */
export async function addPasskey(label: string): Promise<PasskeyLine> {
  const optionsJSON = await postData<PublicKeyCredentialCreationOptionsJSON>("passkeys/options");
  const response = await startRegistration({ optionsJSON });
  return postData<PasskeyLine>("passkeys", { label, response });
}

/** Confirms the person's identity with a passkey. @throws CallFailed, or the browser's error */
export async function confirmWithPasskey(): Promise<ConfirmationView> {
  const optionsJSON =
    await postData<PublicKeyCredentialRequestOptionsJSON>("confirm/passkey/options");
  const response = await startAuthentication({ optionsJSON });
  return postData<ConfirmationView>("confirm/passkey", { response });
}

/** Why a passkey was not made or used, and what the person can do. */
export function passkeyProblem(cause: unknown): string {
  if (cause instanceof CallFailed) return cause.message;
  const name = cause instanceof Error ? cause.name : "";
  return (
    PASSKEY_PROBLEMS[name] ?? "The browser could not use a passkey. Use your password instead."
  );
}

const PASSKEY_PROBLEMS: Readonly<Record<string, string>> = {
  NotAllowedError: "No passkey was used: the request was cancelled or timed out. Try again.",
  AbortError: "No passkey was used: the request was cancelled. Try again.",
  InvalidStateError: "This device already has a passkey of yours. You do not need another.",
  SecurityError:
    "Passkeys do not work on an IP address. Open this page by name with https, or on localhost.",
  NotSupportedError:
    "The service does not support the passkeys of this device. Use your password instead.",
};
