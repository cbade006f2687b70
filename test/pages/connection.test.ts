import { connect, createServer, type Server, type Socket } from "node:net";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freePort } from "../environment/free-port.ts";
import { eventually, until } from "../eventually.ts";
import { closeBrowser, hasBrowser, openVisit, type Visit } from "./browser.ts";
import { openPagedService, PAGES_PASSWORD, type PagedService } from "./paged-service.ts";

/** A page whose service is stopped, silent, restarted or replaced, or whose session has ended. */
describe.skipIf(!hasBrowser())("a page whose service goes away", () => {
  let service: PagedService;
  let wire: ServiceProxy;
  let visit: Visit;
  let page: Page;
  let accountPath: string;
  /** The page that opens first for a person who has not chosen an account. */
  let newestPath: string;

  beforeAll(() => closeBrowser);
  beforeAll(async () => {
    service = await openPagedService(1, "made");
    return () => service.stop();
  });
  beforeAll(async () => {
    wire = createServiceProxy(await freePort(), () => service.pagesUrl);
    await wire.listen();
    return () => wire.cut();
  });
  beforeAll(async () => {
    visit = await openVisit(wire.url);
    page = visit.page;
    return () => visit.close();
  });
  beforeAll(async () => {
    accountPath = `/a/${service.accountId}`;
    const { items } = await service.operator(`/accounts?q=${service.accountId}`);
    const [{ ownerId }] = items as readonly [{ readonly ownerId: string }];
    const newest = await service.operator("/accounts", { size: 50_000, ownerId });
    newestPath = `/a/${String(newest.accountId)}`;
  });
  beforeEach(async () => {
    await visit.become(await service.signIn("owner"));
    await page.goto(accountPath);
    await connection("live").waitFor();
  });
  afterEach(() => {
    const expected = /ERR_|Failed to load|Failed to fetch|EventSource|PageNotLoaded/;
    expect(visit.complaints.filter((complaint) => !expected.test(complaint))).toEqual([]);
  });

  const connection = (status: string) => page.locator(`[data-live="${status}"]`);
  const heading = (name: string) => page.getByRole("heading", { level: 1, name });

  test("the page reports that the service stopped, marks its figures, and recovers by itself", async () => {
    await page.evaluate(() => document.body.setAttribute("data-loaded-once", "yes"));
    await waitUntilPreloaded(page);
    await wire.cut();
    await connection("lost").waitFor();
    await page.getByText("Not connected.").waitFor();
    expect(await page.locator("[data-age]").textContent()).toMatch(/All figures are of .* ago/);
    expect(await page.locator('[data-aged="true"]').count()).toBe(1);
    expect(await page.getByText("Not connected: the figures").getAttribute("aria-live")).toBe(
      "polite",
    );

    await page.getByRole("link", { name: "Payouts" }).click();
    await heading("Payouts").waitFor({ state: "attached" });
    await page.getByRole("navigation", { name: "Pages" }).waitFor();

    await service.restart(async () => undefined);
    await wire.listen();
    await connection("live").waitFor();
    expect(await page.locator('[data-aged="true"]').count()).toBe(0);
    expect(await page.locator("body").getAttribute("data-loaded-once")).toBe("yes");
  });

  test("the page reports a proxy that keeps the connection open and delivers nothing", async () => {
    wire.silence();
    await page.locator('[data-aged="true"]').waitFor();
    wire.resume();
    await connection("live").waitFor();
  });

  test("a page reports that its browser is offline, and recovers when it is online", async () => {
    await visit.context.setOffline(true);
    await connection("lost").waitFor();
    await visit.context.setOffline(false);
    await connection("live").waitFor();
  });

  test("an action fails while the browser is offline, and is not made later", async () => {
    await page.goto(`${accountPath}/keys`);
    await connection("live").waitFor();
    const form = page.getByRole("region", { name: "New key" });
    await form.getByLabel("Name").fill("bot of an offline page");
    await visit.context.setOffline(true);
    await connection("lost").waitFor();
    await form.getByRole("button", { name: "Create key" }).click();
    await form.getByText("The service cannot be reached").waitFor();
    await visit.context.setOffline(false);
    await connection("live").waitFor();
    const { items } = await service.operator(`/keys?accountId=${service.accountId}`);
    expect(JSON.stringify(items)).not.toContain("bot of an offline page");
    expect(await form.getByLabel("Name").inputValue()).toBe("bot of an offline page");
  });

  test("a sign-out that fails says that the person is still signed in", async () => {
    await page.route("**/dashboard/v1/sign-out", (route) => route.abort());
    await page.getByRole("button", { name: "owner" }).click();
    await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "You are still signed in" });
    await dialog.getByText("The service cannot be reached").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await connection("live").waitFor();
  });

  test("a page that cannot be loaded keeps the frame, and opens once it can", async () => {
    await page.route("**/assets/journal-*.js", (route) => route.abort());
    await page.goto(accountPath);
    await page.getByRole("link", { name: "Journal" }).click();
    await heading("This page could not be loaded").waitFor();
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    // The button appears after the page's second attempt. If the script were available earlier, the page would open
    // without a click on the button.
    const reload = page.getByRole("button", { name: "Reload" });
    await reload.waitFor();
    await page.unroute("**/assets/journal-*.js");
    await reload.click();
    await heading("Journal").waitFor({ state: "attached" });
  });

  test("a page of an older version offers the new one", async () => {
    // The script must fail before the page is opened: on a slow machine the page has already preloaded the script when
    // the page becomes live.
    await page.route("**/assets/journal-*.js", (route) => route.fulfill({ status: 404 }));
    await page.goto(accountPath);
    await connection("live").waitFor();
    await page.route(
      (url) => url.pathname === "/",
      async (route) => {
        const served = await route.fetch();
        const body = (await served.text()).replace(/index-[\w-]+\.js/, "index-newer.js");
        await route.fulfill({ response: served, body });
      },
    );
    await page.getByRole("link", { name: "Journal" }).click();
    await page.getByText("A new version of these pages is available").first().waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  test("a missing account is reported once, with a link back", async () => {
    let requests = 0;
    page.on("request", (request) => {
      requests += request.url().includes("/no-such-account/") ? 1 : 0;
    });
    await page.goto("/a/no-such-account");
    await page.getByText("Account not found").waitFor();
    const after = requests;
    await page.getByRole("link", { name: "Go to your accounts" }).click();
    await page.waitForURL(`**${newestPath}`);
    expect([after, requests]).toEqual([after, after]);
  });

  test("an unknown address is a page for a browser, and JSON for a program", async () => {
    for (const path of ["/nowhere", "/docs/nowhere", `${accountPath}/nowhere`]) {
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(404);
      await heading("Page not found").waitFor();
    }
    const program = await fetch(new URL("/nowhere", page.url()));
    expect([program.status, await program.json()]).toEqual([404, { error: "Not found" }]);
  });

  test("a filter in the address leaves the tab marked", async () => {
    await page.goto(`${accountPath}/trades?pair=BTCUSD`);
    const tab = page.getByRole("navigation", { name: "Pages" }).getByRole("link", {
      name: "Trades",
    });
    await eventually(async () => {
      expect(await tab.getAttribute("aria-current")).toBe("page");
    });
  });

  test("the documentation is reached from the navigation and the palette, and leads back", async () => {
    await page.goto(accountPath);
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Page" }).fill("doc");
    await page.getByRole("option", { name: "Documentation" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs");
    await page.getByRole("link", { name: "Dashboard" }).click();
    await page.waitForURL(`**${accountPath}`);
    await page.goto("/docs/api");
    await page.getByRole("main").getByRole("link", { name: "Documentation" }).waitFor();
  });

  test("pages of no account lead back to the account that was shown, not to the newest", async () => {
    await page.goto(`${accountPath}/trades`);
    const pages = page.getByRole("navigation", { name: "Pages" });
    for (const general of ["Signature debugger", "API reference"]) {
      await pages.getByRole("link", { name: general }).click();
      await heading(
        general === "API reference" ? "Proprietary trading account API" : general,
      ).waitFor();
      expect(await pages.getByRole("link", { name: "Overview" }).getAttribute("href")).toBe(
        accountPath,
      );
      const shown = page.getByRole("combobox", { name: "Account" });
      expect(await shown.inputValue()).toBe(service.accountId);
    }
    await page.goto("/docs/guides/start");
    await page.getByRole("link", { name: "Dashboard" }).click();
    await page.waitForURL(`**${accountPath}`);
  });

  test("a session that ended leads to sign-in from any page, and back to that page", async () => {
    await page.goto("/security");
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    await visit.context.clearCookies();
    // The page has no stream here, like a page whose proxy withholds it.
    await page.getByRole("link", { name: "Trades" }).click();
    await page.waitForURL("**/sign-in?next=**");
    await page.getByLabel("Name").fill("owner");
    await page.getByLabel("Password").fill(PAGES_PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(`**${accountPath}/trades`);
  });
});

/** Waits until the scripts of the other pages are loaded, a few seconds after the first one. */
function waitUntilPreloaded(page: Page): Promise<void> {
  return until(() =>
    page.evaluate(() =>
      performance.getEntriesByType("resource").some(({ name }) => name.includes("/payouts-")),
    ),
  );
}

/** A TCP proxy in front of the service. It can refuse connections, or keep them and deliver no bytes. */
interface ServiceProxy {
  readonly url: string;
  listen(): Promise<void>;
  /** Ends every connection and accepts none, as if the service had been killed. */
  cut(): Promise<void>;
  silence(): void;
  resume(): void;
}

/** Makes the proxy. `target` is called for each connection, because a restarted service has another port. */
function createServiceProxy(port: number, target: () => string): ServiceProxy {
  const ends = new Set<Socket>();
  let isSilent = false;
  const server: Server = createServer((near) => {
    const far = connect(Number(new URL(target()).port), "127.0.0.1");
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end);
      end.on("data", (chunk) => void (isSilent ? undefined : other.write(chunk)));
      end.on("error", () => other.destroy());
      end.on("close", () => {
        ends.delete(end);
        other.destroy();
      });
    }
  });
  return {
    url: `http://localhost:${port}`,
    listen: () => new Promise((resolve) => server.listen(port, "localhost", resolve)),
    async cut() {
      for (const end of ends) end.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
    silence() {
      isSilent = true;
    },
    resume() {
      isSilent = false;
      // Bytes of these connections were lost while the proxy was silent, so no client can continue on them.
      for (const end of ends) end.destroy();
    },
  };
}
