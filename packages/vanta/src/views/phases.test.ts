import { describe, expect, test } from "vitest";
import { MADE_INFO_SECTION } from "../testing/made-dashboard.ts";
import { madeAccount, madeReadings } from "../testing/made-readings.ts";
import { linkedStatus } from "./phase.ts";

interface Expected {
  readonly title: string;
  readonly status: string;
  readonly variant: string;
  readonly isPro: boolean;
  readonly isPassed: boolean | null;
  readonly profitTarget: number | null;
  readonly track: string | null;
}

const CLASSIC = { variant: "classic", isPro: false, track: null };

describe("the phase of a linked account [D3.title] [D3.words]", () => {
  test.each<[string, Expected]>([
    [
      "SUBACCOUNT_CHALLENGE",
      {
        ...CLASSIC,
        title: "Classic $100K Evaluation",
        status: "evaluation",
        isPassed: false,
        profitTarget: 10_000,
      },
    ],
    [
      "SUBACCOUNT_FUNDED",
      {
        ...CLASSIC,
        title: "Classic $100K Funded",
        status: "funded",
        isPassed: true,
        profitTarget: 0,
      },
    ],
    [
      "SUBACCOUNT_ALPHA",
      {
        ...CLASSIC,
        title: "Classic $100K Funded",
        status: "funded",
        isPassed: true,
        profitTarget: 0,
      },
    ],
    [
      "PRO_CHALLENGE_TRANSITION",
      {
        ...CLASSIC,
        title: "Pro Transition",
        status: "funded",
        isPassed: true,
        profitTarget: 0,
        track: "transition",
      },
    ],
    [
      "PRO_CHALLENGE_DIRECT",
      {
        title: "Pro $100K Challenge",
        status: "evaluation",
        variant: "pro",
        isPro: true,
        isPassed: false,
        profitTarget: 6_000,
        track: "challenge",
      },
    ],
    [
      "PRO_CHALLENGE_FROM_STANDARD",
      {
        title: "Pro $100K Challenge",
        status: "evaluation",
        variant: "pro",
        isPro: true,
        isPassed: false,
        profitTarget: 6_000,
        track: "challenge",
      },
    ],
    [
      "PRO_FUNDED",
      {
        title: "Pro $100K Funded",
        status: "funded",
        variant: "pro",
        isPro: true,
        isPassed: true,
        profitTarget: 0,
        track: "funded",
      },
    ],
    // A later version of the network may send a word whose meaning is unknown here.
    [
      "NEW_BUCKET",
      {
        ...CLASSIC,
        title: "$100K Account",
        status: "evaluation",
        isPassed: null,
        profitTarget: null,
      },
    ],
  ])("the bucket %s is shown as its phase", (bucket, expected) => {
    const view = madeAccount(
      madeReadings({ challenge_period: { bucket }, pro_stats: { returns_threshold: 0.06 } }),
    );
    expect({
      title: view.evaluation.title,
      status: view.evaluation.status,
      variant: view.challenge.variant,
      isPro: view.isPro,
      isPassed: view.account.isPassed,
      profitTarget: view.challenge.profitTarget,
      track: view.proTrack?.phase ?? null,
    }).toEqual(expected);
    expect(view.challenge.bucket).toBe(bucket === "NEW_BUCKET" ? "unknown" : bucket);
  });

  test.each([
    ["FAILED_CHALLENGE_PERIOD_STATIC_DRAWDOWN", "Classic $100K Evaluation", "classic"],
    ["FAILED_FUNDED_PERIOD_EOD_DRAWDOWN", "Classic $100K Funded", "classic"],
    ["FAILED_PRO_CHALLENGE_PERIOD_INTRADAY_DRAWDOWN", "Pro $100K Challenge", "pro"],
    ["FAILED_PRO_FUNDED_PERIOD_EOD_DRAWDOWN", "Pro $100K Funded", "pro"],
    ["INACTIVE", "$100K Account", "classic"],
  ])("an account that ended by %s was %s", (reason, title, variant) => {
    const view = madeAccount(
      madeReadings({
        subaccount_info: {
          ...MADE_INFO_SECTION,
          status: "eliminated",
          eliminated_at_ms: 1_794_900_000_000,
        },
        challenge_period: { bucket: "ELIMINATED" },
        elimination: { reason, dd: 5.01 },
      }),
    );
    expect(view.evaluation).toMatchObject({ title, status: "eliminated", isEliminated: true });
    expect(view.challenge).toMatchObject({ bucket: "ELIMINATED", variant });
    expect(view.elimination).toEqual({
      reason,
      atMs: 1_794_900_000_000,
      drawdownPct: 5.01,
      forInactivity: reason === "INACTIVE",
    });
  });

  test("an eliminated account without the section has an elimination of unknown reason", () => {
    const view = madeAccount(
      madeReadings({ subaccount_info: { ...MADE_INFO_SECTION, status: "eliminated" } }),
    );
    expect(view.elimination).toEqual({
      reason: null,
      atMs: null,
      drawdownPct: null,
      forInactivity: false,
    });
  });

  test.each([
    ["pending", "provisioning"],
    ["failed", "provisioning"],
    ["active", "active"],
    ["unknown", "active"],
    ["admin", "active"],
    ["eliminated", "eliminated"],
  ])("the network's status %s is %s here", (status, expected) => {
    expect(
      linkedStatus(madeReadings({ subaccount_info: { ...MADE_INFO_SECTION, status } }).readings),
    ).toBe(expected);
  });

  test("the target of forex is 8 %, and what is missing counts the lesser of balance and equity", () => {
    const { challenge } = madeAccount(
      madeReadings({
        subaccount_info: { ...MADE_INFO_SECTION, asset_class: "forex" },
        challenge_period: { bucket: "SUBACCOUNT_CHALLENGE" },
        account_size_data: { balance: 103_000, equity: 101_500.5 },
      }),
    );
    expect(challenge).toMatchObject({
      profitTarget: 8_000,
      profitTargetPercent: 8,
      remaining: 6_499.5,
    });
  });
});
