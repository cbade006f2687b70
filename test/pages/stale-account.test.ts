import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../../packages/server/src/testing/harness.ts";
import { createOperatorClient } from "../../packages/server/src/testing/operator-client.ts";
import { closeBrowser, hasBrowser, openVisit, PHONE, sessionOf, type Visit } from "./browser.ts";
import { readPagesMount } from "./read-pages-mount.ts";

describe.skipIf(!hasBrowser())("an account that changes while the console shows it", () => {
  let service: Harness;
  let visit: Visit;
  let page: Page;

  beforeAll(() => closeBrowser);
  beforeEach(async () => {
    service = await openHarness({ mount: await readPagesMount() });
    return () => service.close();
  });
  beforeEach(async () => {
    const person = await service.signIn("operator");
    const url = `http://localhost:${service.port}`;
    visit = await openVisit(url, PHONE, sessionOf(url, person.cookie()));
    page = visit.page;
    await page.goto(`/console/accounts?q=${service.accountId}`);
    return () => visit.close();
  });

  const promote = () => page.getByRole("button", { name: "Promote", exact: true }).click();
  const dialog = () => page.getByRole("dialog", { name: "Promote this account?" });
  const confirm = () => dialog().getByRole("button", { name: "Promote account" }).click();

  test("an account that changes while the console shows it is not promoted twice by a page that is older than the first promotion [D13.phaseSeen]", async () => {
    await promote();
    await dialog().getByText("in the phase challenge").waitFor();
    const desk = createOperatorClient(service);
    await desk.data("POST", `/accounts/${service.accountId}/promote`, { phase: "challenge" });
    await desk.data("POST", `/accounts/${service.accountId}/offer-pro`, {
      proAccountSize: 200_000,
    });
    await confirm();
    await dialog().getByText("The account is in the phase transition now").waitFor();
    await dialog().getByText("in the phase challenge").waitFor();
    await page.keyboard.press("Escape");

    // The rejected call has refreshed the page, so the next dialog has the new phase.
    await promote();
    await dialog().getByText("in the phase transition").waitFor();
    await confirm();
    await dialog().waitFor({ state: "detached" });
    const { items } = await desk.data("GET", `/accounts?q=${service.accountId}`);
    expect(items).toMatchObject([{ phase: "proChallenge" }]);
  });

  test("an account that changes while the console shows it is closed without its reward when the operator says so [D13.closing]", async () => {
    await page.getByRole("button", { name: "Close", exact: true }).click();
    const closing = page.getByRole("dialog", { name: "Close this account permanently?" });
    await closing.getByLabel("Forfeit the reward of the week").check();
    await closing.getByRole("button", { name: "Close account" }).click();
    await closing.waitFor({ state: "detached" });
    const { items } = await createOperatorClient(service).data(
      "GET",
      `/accounts?q=${service.accountId}`,
    );
    expect(items).toMatchObject([{ status: "closed" }]);
    expect(visit.complaints).toEqual([]);
  });
});
