/** The installation's rules for addresses of webhooks. */
export interface AddressRules {
  /** The ports of public addresses. */
  readonly ports: ReadonlySet<number>;
  /** Loopback and private addresses may be called too, over http or https and at any port. */
  readonly allowsPrivate: boolean;
}

export function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

/** Whether scheme and port are those that a public address may be called with. */
export function hasPublicForm(url: URL, { ports }: AddressRules): boolean {
  return url.protocol === "https:" && ports.has(portOf(url));
}
