import { isSecretShaped } from "@propgate/contract";
import { usageError } from "../cli-error.ts";

/** True when the text begins like a secret, after white space and quotes. */
export function beginsAsSecret(text: string): boolean {
  return isSecretShaped(text.replace(/^[\s"'`]+/, ""));
}

/**
 * Rejects a secret that was given as a key id, with an error that does not show it. `where` names the option, variable
 * or file of the key id; `secret` is the secret that was given with it, null when unknown.
 * @rule D10.secretAsId
 */
export function refuseSecretAsId(
  keyId: string,
  given: { readonly where: string; readonly secret: string | null; readonly fix?: string },
): void {
  if (!beginsAsSecret(keyId)) return;
  const { where, secret, fix = "Nothing was sent." } = given;
  const isSwapped = secret?.trim().startsWith("pk_") === true;
  throw usageError(
    `${where} contains a secret instead of a key id${isSwapped ? ": id and secret are swapped" : ""}`,
    `A key id begins with pk_, a secret with propgate_sk_. ${fix}`,
  );
}
