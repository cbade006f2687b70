/** The trading network that an account is on: this service's own, or a Vanta validator. */
const NETWORK_NAMES = ["embedded", "vanta"] as const;
export type NetworkName = (typeof NETWORK_NAMES)[number];

/** @throws Error on any other text */
export function networkName(text: string): NetworkName {
  const found = NETWORK_NAMES.find((name) => name === text);
  if (found === undefined) throw new Error(`broken invariant: a network named ${text}`);
  return found;
}
