import { beforeAll, describe, expect, test } from "vitest";
import { openEarningTrader } from "../../packages/server/src/testing/earning-trader.ts";
import { CATALOGUE, type Harness, openHarness } from "../../packages/server/src/testing/harness.ts";
import { createOperatorClient } from "../../packages/server/src/testing/operator-client.ts";
import { SHARE_CATALOGUE } from "../../packages/server/src/testing/share-market.ts";
import { closeBrowser, hasBrowser, openVisit, sessionOf, type Visit } from "./browser.ts";
import { readPagesMount } from "./read-pages-mount.ts";

describe.skipIf(!hasBrowser())("the console's payouts and accounts", () => {
  let service: Harness;
  let visit: Visit;
  let accountId: string;

  beforeAll(() => closeBrowser);
  beforeAll(async () => {
    const instruments = new Map([...CATALOGUE, ...SHARE_CATALOGUE]);
    service = await openHarness({ instruments, mount: await readPagesMount() });
    return () => service.close();
  });
  beforeAll(async () => {
    ({ accountId } = await openEarningTrader(service, 1));
    const person = await service.signIn("operator");
    const url = `http://localhost:${service.port}`;
    visit = await openVisit(url, undefined, sessionOf(url, person.cookie()));
    return () => visit.close();
  });

  test("the age of a payout is by the service's clock, and a status without payouts is named", async () => {
    const { page } = visit;
    await page.goto("/console/payouts");
    const row = page.getByRole("row").filter({ hasText: accountId.slice(0, 8) });
    await row.getByText(/^\d+ (s|min|h) ago$/).waitFor();
    await page.getByRole("button", { name: "Failed" }).click();
    await page.getByText("No failed payouts").waitFor();
  });

  test("an announced corporate action is cancelled", async () => {
    const { page } = visit;
    const atMs = service.time.clock.now() + 86_400_000;
    const split = { pair: "AAPL", kind: "split", newShares: 4, oldShares: 1, atMs };
    await createOperatorClient(service).data("POST", "/corporate-actions", split);
    await page.goto("/console/instruments");
    await page.getByRole("button", { name: "Cancel split 4:1" }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel the split 4:1 of AAPL" });
    await dialog.getByRole("button", { name: "Cancel the action" }).click();
    await dialog.waitFor({ state: "detached" });
    const { items } = await createOperatorClient(service).data("GET", "/corporate-actions");
    expect(items).toMatchObject([{ status: "cancelled" }]);
    await page.goto("/console/audit");
    await page.getByLabel("Action").selectOption("corporateActions.cancel");
    await page.getByRole("row").filter({ hasText: "corporateActions.cancel" }).waitFor();
  });

  test("the dialog names a wrong amount at its field and records a right one [D7.paidAmount]", async () => {
    const { page } = visit;
    await page.goto("/console/payouts");
    const row = page.getByRole("row").filter({ hasText: accountId.slice(0, 8) });
    await row.getByRole("button", { name: /^Record/ }).click();
    const dialog = page.getByRole("dialog");
    const amount = dialog.getByLabel("Amount paid, USD");
    expect(await amount.count()).toBe(0);
    await dialog.getByLabel("Status").selectOption("paid");
    await amount.fill("1");
    await dialog.getByText(/^Enter an amount at most a cent from \d/).waitFor();
    const record = dialog.getByRole("button", { name: "Record as paid" });
    expect(await record.isDisabled()).toBe(true);
    const { items } = await createOperatorClient(service).data(
      "GET",
      `/payouts?accountId=${accountId}`,
    );
    const [payout] = items as readonly { readonly amount: number }[];
    await amount.fill((payout?.amount ?? 0).toFixed(2));
    await record.click();
    await dialog.waitFor({ state: "detached" });
    await row.waitFor({ state: "detached" });
    const after = await createOperatorClient(service).data(
      "GET",
      `/payouts?accountId=${accountId}`,
    );
    const paidAmount = Number((payout?.amount ?? 0).toFixed(2));
    expect(after.items).toMatchObject([{ status: "paid", paidAmount }]);
    await page.getByRole("button", { name: "Paid", exact: true }).click();
    await row.waitFor();
    await page.getByText(`Together ${paidAmount.toFixed(2)} USD`).waitFor();
  });

  test("the filter of the accounts is in the address, and an address opens its filter", async () => {
    const { page } = visit;
    const rows = page.getByRole("row");
    await page.goto("/console/accounts");
    await rows.filter({ hasText: accountId.slice(0, 13) }).waitFor();
    const filter = page.getByRole("form", { name: "Filter" });
    await filter.getByLabel("Phase").selectOption("proFunded");
    await page.getByText("No accounts match the filter").waitFor();
    expect(new URL(page.url()).searchParams.get("phase")).toBe("proFunded");
    await page.goto("/console/accounts?phase=funded&status=active&used=open");
    await rows.filter({ hasText: accountId.slice(0, 13) }).waitFor();
    expect(await filter.getByLabel("Status").inputValue()).toBe("active");
    await filter.getByLabel("Limit used from, %").fill("100");
    await page.getByText("No accounts match the filter").waitFor();
    expect(new URL(page.url()).searchParams.get("used")).toBe("100");
    await filter.getByRole("button", { name: "Show all" }).click();
    await rows.filter({ hasText: accountId.slice(0, 13) }).waitFor();
    expect(new URL(page.url()).search).toBe("");
  });
});
