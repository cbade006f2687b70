import type { CycleView, ObjectiveDay } from "@propgate/contract";
import { fine } from "../../json/json-reply.ts";
import type { AccountHistories } from "../history/account-histories.ts";
import type { AccountCall } from "./account-call.ts";

export interface HistoryOptions {
  readonly histories: AccountHistories;
}

/** Almost four years of weeks. */
const CYCLES_MAX = 200;

/** Cycles and pro-track days, read from the journal. */
export function historyCalls({ histories }: HistoryOptions): readonly AccountCall[] {
  return [
    {
      name: "account.cycles",
      method: "GET",
      path: "/accounts/:id/cycles",
      async handle({ account }) {
        const { cycles } = await histories.read(account);
        const newest: readonly CycleView[] = cycles.slice(-CYCLES_MAX).reverse();
        return fine(newest);
      },
    },
    {
      name: "account.objectives",
      method: "GET",
      path: "/accounts/:id/objectives",
      async handle({ account }) {
        const days: readonly ObjectiveDay[] = (await histories.read(account)).objectiveDays;
        return fine(days);
      },
    },
  ];
}
