import type { NetworkReadings } from "@propgate/wire";
import { notOfferedReply, okReply } from "../../json/json-reply.ts";
import type { AccountCall } from "./account-call.ts";

export interface HistoryOptions {
  readonly readings: NetworkReadings;
}

/**
 * GET cycles: all closed payout cycles in one answer, newest first, because the pages need all of them for their sums.
 * GET objectives: the days of the pro track.
 */
export function historyCalls({ readings }: HistoryOptions): readonly AccountCall[] {
  return [
    {
      name: "account.cycles",
      method: "GET",
      path: "/accounts/:id/cycles",
      async handle({ account }) {
        const cycles = await readings[account.network].cycles(account);
        if ("notOffered" in cycles) return notOfferedReply(cycles);
        return okReply(cycles.toReversed());
      },
    },
    {
      name: "account.objectives",
      method: "GET",
      path: "/accounts/:id/objectives",
      async handle({ account }) {
        const days = await readings[account.network].objectiveDays(account);
        return "notOffered" in days ? notOfferedReply(days) : okReply(days);
      },
    },
  ];
}
