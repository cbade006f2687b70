import type { AddressInfo } from "node:net";

/** The port of an open listener; throws for an address without one. */
export function listenerPort(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("a listener without a port");
  return address.port;
}
