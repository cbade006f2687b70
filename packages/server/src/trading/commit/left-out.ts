/** Why a batch left out an account: another session holds its row, or has changed the account. */
export type LeftOut = "held" | "moved";
