import { describe, expect, onTestFinished, test } from "vitest";
import { type Reply, startVerifyingServer } from "../../../../sdk/src/testing/verifying-server.ts";
import { type CliResult, runCli } from "../../testing/run-cli.ts";

const SECRET = "sk_payouts";

const payout = (week: number): Record<string, unknown> => ({
  id: `po_${week}`,
  amount: 1000.5 * week,
  currency: "USD",
  profitSplit: "80%",
  periodStartMs: Date.parse("2026-01-05") + week * 604_800_000,
  periodEndMs: Date.parse("2026-01-12") + week * 604_800_000,
  status: "paid",
  rail: "=HYPERLINK()",
  provider: "manual",
  reference: null,
  paidAtMs: null,
  paidAmount: week === 0 ? null : 1000.5 * week,
});

const page = (items: readonly unknown[], nextCursor: string | null): Reply => ({
  status: 200,
  body: {
    success: true,
    data: {
      items,
      nextCursor,
      ...(nextCursor === null
        ? { accrualStatus: "omitted", accrual: null }
        : {
            accrualStatus: "ok",
            accrual: {
              estimatedAmount: null,
              windowStartMs: null,
              asOfMs: 0,
              priorUnpaidAmount: 12.3,
              earliestUnpaidPeriodStartMs: null,
              deferredBalance: null,
            },
          }),
    },
  },
});

async function payouts(
  replies: readonly Reply[],
  ...given: readonly string[]
): Promise<CliResult & { readonly targets: readonly string[] }> {
  const server = await startVerifyingServer({ secret: SECRET, replies });
  onTestFinished(() => server.close());
  const env = {
    PROPGATE_BASE_URL: server.baseUrl,
    PROPGATE_KEY_ID: "pk_payouts",
    PROPGATE_SECRET: SECRET,
  };
  const result = await runCli(["payouts", ...given], { env });
  return { ...result, targets: server.received.map(({ target }) => target) };
}

const PAGES = [page([payout(2), payout(1)], "c+1"), page([payout(0)], null)];

describe("propgate payouts", () => {
  test("propgate payouts reads every page, and shows the estimate of the first", async () => {
    const { code, stdout, stderr, targets } = await payouts(PAGES);
    expect([code, stderr]).toEqual([0, ""]);
    expect(targets).toEqual([
      "/api/v1/trading/payouts?limit=200",
      "/api/v1/trading/payouts?limit=200&cursor=c%2B1",
    ]);
    expect(stdout.split("\n").slice(0, 4)).toEqual([
      "FROM        TO               USD  SPLIT  STATUS  PAID  PAID USD",
      "2026-01-19  2026-01-26  2,001.00    80%  paid    --    2,001.00",
      "2026-01-12  2026-01-19  1,000.50    80%  paid    --    1,000.50",
      "2026-01-05  2026-01-12      0.00    80%  paid    --          --",
    ]);
    expect(stdout).toMatch(/^this cycle, estimated {4}--$/m);
    expect(stdout).toMatch(/^closed and not yet paid {2}12\.30$/m);
  });

  test("--csv is a row for each payout, and no cell is a formula", async () => {
    const { stdout } = await payouts(PAGES, "--csv");
    const lines = stdout.split("\r\n");
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^id,periodStartMs,periodEndMs,amount,currency,/);
    expect(lines[1]).toContain(",'=HYPERLINK(),");
  });

  test("--json has the items of all pages", async () => {
    const { stdout } = await payouts(PAGES, "--json");
    expect(JSON.parse(stdout).items).toHaveLength(3);
  });

  test("a source that is down for long: 3, and that it is no zero", async () => {
    const down = { status: 503, body: { error: "Account snapshot temporarily unavailable" } };
    const { code, stdout, stderr } = await payouts([down]);
    expect([code, stdout]).toEqual([3, ""]);
    expect(stderr).toContain("does not mean zero");
  });
});
