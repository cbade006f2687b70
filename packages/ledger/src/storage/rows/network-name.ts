/** The trading network that an account is on: this service's own, or a Vanta validator. */
export type NetworkName = "embedded" | "vanta";
