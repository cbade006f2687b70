import type { Role } from "@propgate/contract";
import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { TEST_PASSWORD } from "../../packages/server/src/testing/dashboard-client.ts";
import { type Harness, openHarness } from "../../packages/server/src/testing/harness.ts";
import { until } from "../eventually.ts";
import { accessibilityFaults, sidewaysOverflow } from "./accessibility.ts";
import { closeBrowser, hasBrowser, openVisit, PHONE, sessionOf, type Visit } from "./browser.ts";
import { readPagesMount } from "./read-pages-mount.ts";
import { fillSignIn } from "./sign-in.ts";

const FIVE_MINUTES_MS = 300_000;

describe.skipIf(!hasBrowser())("the confirmation of a person in a browser", () => {
  let service: Harness;
  let visit: Visit;
  let page: Page;

  beforeAll(() => closeBrowser);
  beforeEach(async () => {
    service = await openHarness({ mount: await readPagesMount() });
    return () => service.close();
  });
  beforeEach(async () => {
    // The page has the width of a phone, where the dialog has the least room.
    visit = await openVisit(`http://localhost:${service.port}`, PHONE);
    page = visit.page;
    return () => visit.close();
  });

  /** Opens a page in a new session of a person. */
  const visitAs = async (name: Role, path: string): Promise<void> => {
    const person = await service.signIn(name);
    await visit.become(sessionOf(`http://localhost:${service.port}`, person.cookie()));
    await page.goto(path);
  };
  const dialog = () => page.getByRole("dialog", { name: "Confirm your identity" });
  const keysOf = async () => (await service.keys.list(service.accountId)).map(({ label }) => label);

  test("an owner creates a key after the right password, and none after cancelling", async () => {
    await visitAs("owner", `/a/${service.accountId}/keys`);
    await page.getByRole("textbox", { name: "Name" }).fill("later bot");
    await service.time.pass(FIVE_MINUTES_MS);
    await page.getByRole("button", { name: "Create key" }).click();
    await dialog().waitFor();
    expect(await sidewaysOverflow(page)).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await page.getByText("you did not confirm your identity").waitFor();
    expect(await keysOf()).not.toContain("later bot");

    await page.getByRole("button", { name: "Create key" }).click();
    const password = dialog().getByLabel("Your password");
    await until(() => password.evaluate((field) => field === document.activeElement));
    await page.keyboard.type("not the password");
    await page.keyboard.press("Enter");
    await dialog().getByText("Wrong password.").waitFor();
    await password.fill(TEST_PASSWORD);
    await page.keyboard.press("Enter");
    await page.locator("[data-new-key]").waitFor();
    expect((await keysOf()).filter((label) => label === "later bot")).toHaveLength(1);
    await page.getByRole("button", { name: "I have stored the secret" }).click();
  });

  test("an owner closes all positions after the right password, and none after cancelling [D13.confirmation]", async () => {
    await service.quote("BTCUSD", 50_000, 50_010);
    await service.order({
      execution_type: "MARKET",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      quantity: 0.1,
    });
    const open = async () => ((await service.get("positions")).json() as { data: unknown[] }).data;
    await visitAs("owner", `/a/${service.accountId}/positions`);
    await page.getByRole("button", { name: "Close all positions" }).click();
    const closing = page.getByRole("dialog", { name: "Close all positions now" });
    await closing.getByRole("textbox").fill(service.accountId.slice(-4));
    await service.time.pass(FIVE_MINUTES_MS);
    await service.quote("BTCUSD", 50_000, 50_010);
    const close = closing.getByRole("button", { name: "Close all positions" });
    await close.click();
    await dialog().waitFor();
    expect(await sidewaysOverflow(page)).toBe(0);
    await page.keyboard.press("Escape");
    await closing.getByText("you did not confirm your identity").waitFor();
    expect(await closing.getByText("may already be closed").count()).toBe(0);
    expect(await open()).toHaveLength(1);

    await close.click();
    await dialog().getByLabel("Your password").fill(TEST_PASSWORD);
    await page.keyboard.press("Enter");
    await closing.getByText("1 position closed").waitFor();
    expect(await open()).toEqual([]);
    await closing.getByRole("button", { name: "Done" }).click();
  });

  test("an owner adds a passkey and confirms with it in a later session", async () => {
    const authenticator = await visit.context.newCDPSession(page);
    await authenticator.send("WebAuthn.enable");
    await authenticator.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    // This browser does not offer passkeys below the name field by itself.
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
    const add = async (label: string): Promise<void> => {
      await page.getByLabel("Passkey name").fill(label);
      await page.getByRole("button", { name: "Add passkey" }).click();
    };
    await visitAs("owner", "/security");
    await page.getByLabel("Passkey name").waitFor();
    await add("phone");
    await page.getByText("phone is added").waitFor();
    await service.time.pass(FIVE_MINUTES_MS);
    await visitAs("owner", "/security");
    await page.getByLabel("Passkey name").waitFor();
    await service.time.pass(FIVE_MINUTES_MS);
    await add("again");
    await dialog().getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("This device already has a passkey of yours").waitFor();
  });

  test("an operator confirms above another dialog: the person is added, and the link is shown", async () => {
    await visitAs("operator", "/console/people");
    await page.getByRole("button", { name: "Add a person" }).click();
    const adding = page.getByRole("dialog", { name: "Add a person" });
    await adding.getByLabel("Name").fill("Nina");
    await service.time.pass(FIVE_MINUTES_MS);
    await adding.getByRole("button", { name: "Add", exact: true }).click();
    await dialog().getByLabel("Your password").fill(TEST_PASSWORD);
    await dialog().getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("button", { name: "Create link" }).click();
    await page.getByRole("button", { name: "Copy link" }).waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    expect(await service.people.roster.findByName("nina")).not.toBe(null);
  });

  test("an operator disables a person and pauses the keys; the owner sees it", async () => {
    await service.signIn("owner");
    await visitAs("operator", "/console/people");
    await page.getByRole("button", { name: "Disable owner" }).click();
    const disabling = page.getByRole("dialog", { name: "Disable owner?" });
    await disabling.getByLabel(/^Pause \d+ API keys? of the accounts/).check();
    expect(await accessibilityFaults(page)).toEqual([]);
    await service.time.pass(FIVE_MINUTES_MS);
    await disabling.getByRole("button", { name: "Disable" }).click();
    await dialog().getByLabel("Your password").fill(TEST_PASSWORD);
    await dialog().getByRole("button", { name: "Confirm" }).click();
    // While the confirmation is open, the dialog below it has no role.
    await dialog().waitFor({ state: "detached" });
    await disabling.waitFor({ state: "detached" });
    expect((await service.get("account")).status).toBe(401);
    await page.goto(`/a/${service.accountId}/keys`);
    await page.getByText("Paused by operator").filter({ visible: true }).first().waitFor();
  });

  test.each(["https://evil.example/fake-sign-in", "//evil.example", "/\\evil.example"])(
    "the sign-in page does not follow the link %s",
    async (next) => {
      await visitAs("operator", "/console");
      await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
      const goOn = page.getByRole("link", { name: "Continue" });
      expect(await goOn.getAttribute("href")).toBe("/");
      await fillSignIn(page, { name: "operator", password: TEST_PASSWORD, next });
      await page.waitForURL("**/console");
      expect([...visit.hosts]).toEqual([`localhost:${service.port}`]);
      expect(visit.complaints).toEqual([]);
    },
  );
});
