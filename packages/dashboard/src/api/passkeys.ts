import type { PasskeyLine, SessionView } from "@propgate/contract";
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import { CallFailed, write } from "./call.ts";

/** False where the page has no passkeys: an old browser, no TLS, or a bare address for a name. */
export function hasPasskeys(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(location.hostname);
  return browserSupportsWebAuthn() && !isAddress;
}

/** Asks the browser for a passkey, in a window of its own. @throws CallFailed, or what the browser says */
export async function signInWithPasskey(): Promise<SessionView> {
  return finish(await startAuthentication({ optionsJSON: await signInOptions() }));
}

/**
 * Offers passkeys in the list that the browser shows below the name, until `ended`. Null: the browser
 * cannot, or none was chosen. @throws CallFailed when the service refuses the one chosen
 */
export async function signInFromSuggestion(ended: AbortSignal): Promise<SessionView | null> {
  if (!(await browserSupportsWebAuthnAutofill())) return null;
  const chosen = await suggested(ended);
  return chosen === null ? null : finish(chosen);
}

type Assertion = Awaited<ReturnType<typeof startAuthentication>>;

/** Nobody asked for it, so whatever prevents it is no news to anybody. */
async function suggested(ended: AbortSignal): Promise<Assertion | null> {
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
  return write<PublicKeyCredentialRequestOptionsJSON>("sign-in/passkey/options");
}

function finish(response: Assertion): Promise<SessionView> {
  return write<SessionView>("sign-in/passkey", { response });
}

/** Makes a passkey on this device for whoever is signed in. @throws CallFailed, or what the browser says */
export async function addPasskey(label: string): Promise<PasskeyLine> {
  const optionsJSON = await write<PublicKeyCredentialCreationOptionsJSON>("passkeys/options");
  const response = await startRegistration({ optionsJSON });
  return write<PasskeyLine>("passkeys", { label, response });
}

/** Why a passkey was not made or used, and what to do; for people. */
export function passkeyProblem(cause: unknown): string {
  if (cause instanceof CallFailed) return cause.message;
  const name = cause instanceof Error ? cause.name : "";
  return BROWSER_SAYS[name] ?? "The browser could not use a passkey. Use your password instead.";
}

const BROWSER_SAYS: Readonly<Record<string, string>> = {
  NotAllowedError: "No passkey was used: it was cancelled or took too long. Try it again.",
  AbortError: "No passkey was used: it was cancelled. Try it again.",
  InvalidStateError: "This device already holds a passkey of yours. There is nothing to add.",
  SecurityError:
    "Passkeys need this page under a name with https, or under localhost: a bare address will not do.",
  NotSupportedError: "This device has no kind of passkey that the service knows.",
};
