import type { SecretBox } from "@propgate/access";
import type { UnixMs } from "@propgate/core";
import type { StoredEndpoint } from "../storage/endpoint-store.ts";

/**
 * The names under which an endpoint's address and secrets are sealed. The names differ, so that a sealed secret cannot
 * be opened as an address, or an address as a secret.
 */
export const sealNames = (id: string) => ({ address: `${id}:address`, secret: `${id}:secret` });

/** The address of an endpoint, and the secrets that sign its deliveries, the newest first. */
export interface OpenedEndpoint {
  readonly url: string;
  readonly secrets: readonly string[];
}

/**
 * Opens an endpoint's address and secrets; null when the master key does not open the address or the newest secret. The
 * older secret is left out after its end, and when it does not open.
 */
export function openEndpoint(
  box: Pick<SecretBox, "open">,
  { id, sealed }: StoredEndpoint,
  now: UnixMs,
): OpenedEndpoint | null {
  const names = sealNames(id);
  const url = box.open(names.address, sealed.address);
  const secret = box.open(names.secret, sealed.secret);
  if (url === null || secret === null) return null;
  const { older } = sealed;
  const old = older === null || older.untilMs <= now ? null : box.open(names.secret, older.secret);
  return { url, secrets: old === null ? [secret] : [secret, old] };
}
