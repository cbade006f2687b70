import type { AccountReadings } from "@propgate/wire";

const NO_NETWORK = {
  notOffered: "This service runs without the network of the account",
} as const;

/** The readings of linked accounts while the service runs without a validator. */
export const absentReadings: AccountReadings = {
  choice: async () => null,
  line: async ({ accountId, ownerId, status, createdAtMs }) => ({
    accountId,
    ownerId,
    status,
    network: "vanta",
    phase: null,
    programId: null,
    programVersion: null,
    size: null,
    assetClass: null,
    drawdownCriteria: null,
    balance: null,
    openedAtMs: createdAtMs,
  }),
  state: async () => null,
  atOneMoment: () => async () => null,
  equity: async () => null,
  equityPoints: async () => null,
  fills: async () => NO_NETWORK,
  cycles: async () => NO_NETWORK,
  objectiveDays: async () => NO_NETWORK,
  noJournal: NO_NETWORK,
};
