/** The installation's rules for addresses of webhooks. */
export interface AddressRules {
  /** The ports at which public addresses may be called. */
  readonly ports: ReadonlySet<number>;
  /** True allows loopback and private addresses too, over http or https and at any port. */
  readonly allowsPrivate: boolean;
}

/** The port that a call of the URL uses: its own, or the default of its scheme. */
export function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

/** Whether a public address may be called with this URL's scheme and port: only https, and only the allowed ports. */
export function hasPublicForm(url: URL, { ports }: AddressRules): boolean {
  return url.protocol === "https:" && ports.has(portOf(url));
}
