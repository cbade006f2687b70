import { type LinkedAccountReadings, linkedAccountItem } from "@propgate/wire";

const NO_NETWORK = {
  notOffered: "This service runs without the network of the account",
} as const;

/** The readings of linked accounts while the service runs without a validator. */
export const absentReadings: LinkedAccountReadings = {
  accountChoice: async () => null,
  accountRow: async (entry) => ({ item: linkedAccountItem(entry), holdings: [] }),
  state: async () => null,
  atOneMoment: () => async () => null,
  equity: async () => null,
  equityPoints: async () => null,
  fills: async () => NO_NETWORK,
  cycles: async () => NO_NETWORK,
  objectiveDays: async () => NO_NETWORK,
  noDecisionsReason: NO_NETWORK,
};
