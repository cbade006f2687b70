import { describe, expect, test } from "vitest";
import { openEarningTrader } from "../../../testing/earning-trader.ts";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET payouts answers 200", () => {
  const { service, call } = openEndpointUnderTest("getPayouts");

  test("an evaluation earns nothing: not_applicable [S2.5] [S3.accrualStatus]", async () => {
    expect((await call()).json()).toMatchObject({
      success: true,
      data: {
        items: [],
        nextCursor: null,
        accrualStatus: "not_applicable",
        accrual: { estimatedAmount: null },
      },
    });
  });

  test("an account that is not yet set up earns nothing too, and is not 404 [S3.accrualStatus]", async () => {
    const accountId = await service().newAccount({ provisioned: false });
    const signer = await service().newKey({ accountId });
    const reply = await call({ signer });
    expect(reply.status).toBe(200);
    expect(reply.json()).toMatchObject({ data: { items: [], accrualStatus: "not_applicable" } });
  });

  test.each(["1", "50", "200", "201", "9999", "007"])(
    "limit=%s passes [S4.1.limit]",
    async (limit) => {
      const reply = await service().call(`/api/v1/trading/payouts?limit=${limit}`);
      expect(reply.status).toBe(200);
    },
  );

  test("the query is signed as sent, with its escapes, and unknown parameters are ignored [S5.canonical] [D2.query]", async () => {
    const reply = await service().call("/api/v1/trading/payouts?limit=%35&x=a+b%20c");
    expect(reply.status).toBe(200);
  });

  test.each([1, 3, 4, 200])(
    "pages of %d follow each other, newest first, to a null cursor [S4.1.cursor] [S2.5.items]",
    async (limit) => {
      const { signer } = await openEarningTrader(service(), 4);
      const pages: Page[] = [];
      let query = `?limit=${limit}`;
      for (;;) {
        const reply = await service().call(`/api/v1/trading/payouts${query}`, { signer });
        const { data } = reply.json() as { readonly data: Page };
        pages.push(data);
        if (data.nextCursor === null) break;
        query = `?limit=${limit}&cursor=${data.nextCursor}`;
      }
      const items = pages.flatMap((page) => page.items);
      const newest = items[0]?.periodEndMs ?? 0;
      const ends = [0, 1, 2, 3].map((weeks) => newest - weeks * WEEK_MS);
      expect(items.map(({ periodEndMs }) => periodEndMs)).toEqual(ends);
      expect(pages).toHaveLength(Math.ceil(4 / limit));
      const statuses = pages.map(({ accrualStatus }) => accrualStatus);
      expect(statuses).toEqual(["ok", ...pages.slice(1).map(() => "omitted")]);
      expect(pages.slice(1).map(({ accrual }) => accrual)).toEqual(pages.slice(1).map(() => null));
    },
  );
});

const WEEK_MS = 604_800_000;

interface Page {
  readonly items: readonly { readonly periodEndMs: number }[];
  readonly nextCursor: string | null;
  readonly accrualStatus: string;
  readonly accrual: unknown;
}
