import type { NetworkReadings } from "@propgate/wire";
import { notOffered, okReply } from "../../json/json-reply.ts";
import type { AccountCall } from "./account-call.ts";

export interface HistoryOptions {
  readonly readings: NetworkReadings;
}

/** The maximum number of cycles in an answer: the weeks of almost four years. */
const CYCLES_MAX = 200;

/** GET cycles: closed payout cycles, newest first. GET objectives: the days of the pro track. */
export function historyCalls({ readings }: HistoryOptions): readonly AccountCall[] {
  return [
    {
      name: "account.cycles",
      method: "GET",
      path: "/accounts/:id/cycles",
      async handle({ account }) {
        const cycles = await readings[account.network].cycles(account);
        if ("notOffered" in cycles) return notOffered(cycles);
        return okReply(cycles.slice(-CYCLES_MAX).reverse());
      },
    },
    {
      name: "account.objectives",
      method: "GET",
      path: "/accounts/:id/objectives",
      async handle({ account }) {
        const days = await readings[account.network].objectiveDays(account);
        return "notOffered" in days ? notOffered(days) : okReply(days);
      },
    },
  ];
}
