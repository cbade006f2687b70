import { request } from "node:http";
import type { OrderTrade } from "@propgate/contract";
import type { Client } from "@propgate/sdk";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { plainText } from "../../packages/dashboard/src/format/numbers.ts";
import { eventually } from "../eventually.ts";
import { closeBrowser, DESKTOP, hasBrowser, openVisit, type Visit } from "./browser.ts";
import { linkToken, openPagedService, PAGES_PASSWORD, type PagedService } from "./paged-service.ts";
import { apiAnswers, differingValues, shownValues } from "./shown-values.ts";
import { fillSignIn } from "./sign-in.ts";

/** The speed of the replayed prices: as they were recorded, so they stay the same for seconds at a time. */
const REPLAY_SPEED = 1;

describe.skipIf(!hasBrowser())("an owner in a browser", () => {
  let service: PagedService;
  let visit: Visit;
  let page: Page;
  const account = (path = ""): string => `/a/${service.accountId}${path}`;

  beforeAll(() => closeBrowser);
  beforeAll(async () => {
    service = await openPagedService(REPLAY_SPEED);
    return () => service.stop();
  });
  beforeEach(async () => {
    visit = await openVisit(service.pagesUrl, DESKTOP, await service.signIn("owner"));
    page = visit.page;
    return () => visit.close();
  });
  afterEach(() => {
    // The browser must have no complaint and must have connected to the service alone.
    expect(visit.complaints).toEqual([]);
    expect([...visit.hosts]).toEqual([new URL(service.pagesUrl).host]);
  });

  test("a person's link sets a password, once", async () => {
    await visit.context.clearCookies();
    const { items } = await service.operator("/accounts");
    const mine = (items as readonly { accountId: string; ownerId: string }[]).find(
      ({ accountId }) => accountId === service.accountId,
    );
    const added = await service.operator("/people", {
      name: "partner",
      role: "owner",
      ownerId: mine?.ownerId,
    });
    const made = await service.operator(`/people/${String(added.personId)}/link`, {});
    const link = `/link#${linkToken(String(made.url))}`;
    await page.goto(link);
    await page.getByLabel("Password", { exact: true }).fill(PAGES_PASSWORD);
    await page.getByRole("button", { name: "Set password and sign in" }).click();
    await page.getByRole("button", { name: "Not now" }).click();
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(account());
    await page.goto(link);
    await page.getByText("This link is no longer valid").waitFor();
  });

  test("the owner signs out, and a signed-out browser sees nothing", async () => {
    await page.goto(account());
    await page.getByRole("button", { name: "owner" }).click();
    await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
    await page.waitForURL("**/sign-in**");
    await page.goto(account("/keys"));
    await page.waitForURL("**/sign-in**");
  });

  test("a wrong password is reported, and the right one leads to the requested page", async () => {
    await visit.context.clearCookies();
    await page.goto(account("/keys"));
    await page.getByLabel("Name").fill("owner");
    await page.getByLabel("Password").fill("not the password at all");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Password").fill(PAGES_PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(`**${account("/keys")}`);
  });

  test("a passkey is added and opens the pages without a password", async () => {
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
    await page.goto("/security");
    await page.getByLabel("Passkey name").fill("this laptop");
    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.getByText("this laptop").first().waitFor();
    await visit.context.clearCookies();
    // This browser does not offer passkeys below the name field by itself.
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL(`**${account()}`);
  });

  test("a key created on the page trades through the API, shows its use, and disappears when revoked", async () => {
    await page.goto(account("/keys"));
    await page.getByLabel("Name").fill("trend bot");
    await page.getByLabel("trade:place").check();
    await page.getByRole("button", { name: "Create key" }).click();
    const shown = page.locator("[data-new-key]");
    const keyId = (await shown.getAttribute("data-new-key")) ?? "";
    const secret =
      (await shown
        .locator("code")
        .filter({ hasText: /^propgate_sk_/ })
        .textContent()) ?? "";
    const client = service.clientOf({ keyId, secret });
    const placed = await client.placeOrder({
      trade: {
        execution_type: "MARKET",
        trade_pair: "BTCUSD",
        order_type: "LONG",
        leverage: 0.5,
        stop_loss: 30_000,
      },
    });
    expect(placed).toMatchObject({ fate: "accepted", result: { status: "filled" } });

    await page.getByRole("button", { name: "I have stored the secret" }).click();
    await eventually(async () => {
      expect(await page.content()).not.toContain(secret);
    });
    const row = page.locator(`[data-row="${keyId}"]`);
    await row.getByText("127.0.0.1").waitFor();

    await row.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await row.getByText("revoked", { exact: true }).waitFor();
    const refused = await client.account().catch((cause: unknown) => cause);
    expect(refused).toEqual(expect.objectContaining({ message: "401 Invalid key" }));
    await page.getByText("revoked a key").first().waitFor();
  });

  test("every value of the pages that the API has is the API's, at one version and the same prices [S1.dashboard]", async () => {
    // The second time closes the position of the first, so there is a closed trade.
    for (let times = 0; times < 2; times += 1) await tradeInEveryWay(service.client);
    const fields = new Set<string>();
    for (const path of ["", "/positions", "/trades", "/payouts"]) {
      await page.goto(account(path));
      // A page is a moment behind the API, and prices change. It must show the values of one of the last answers.
      const answers: Awaited<ReturnType<typeof apiAnswers>>[] = [];
      await eventually(async () => {
        answers.push(await apiAnswers(service.client));
        const shown = await shownValues(page);
        expect(answers.map((one) => differingValues(shown, one))).toContainEqual([]);
        expect(shown.length).toBeGreaterThan(1);
        for (const { field } of shown) fields.add(field);
      });
    }
    const roots = new Set([...fields].map((field) => field.split(/[.[ ]/)[0]));
    expect([...roots].toSorted()).toEqual([
      "account",
      "accrual",
      "challenge",
      "drawdownRules",
      "orders",
      "performance",
      "positions",
      "trades",
      "tradingDays",
    ]);
  });

  test("the first load is at most 250 KB, gzipped and without the charts", async () => {
    await page.goto(account());
    await page.locator('[data-live="live"]').waitFor();
    const loaded = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .map(({ name }) => new URL(name).pathname)
        .filter((path) => path.startsWith("/assets/")),
    );
    const first = loaded.filter((path) => !/-canvas|chart-look/.test(path));
    const sizes = await Promise.all(first.map((path) => gzippedSize(service.pagesUrl + path)));
    expect(first.length).toBeGreaterThan(5);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  });

  test("the position, its leg and the fill are shown with the API's figures", async () => {
    await tradeInEveryWay(service.client);
    await page.goto(account("/positions"));
    const [position] = await service.client.positions();
    const row = page.locator(`[data-row="${position?.positionUuid}"]`);
    await row.waitFor();
    const entry = row.locator('[data-field="positions[].averageEntryPrice"]').first();
    expect(await exactOf(entry)).toBe(plainText(position?.averageEntryPrice));
    await page.getByText("Stop loss").first().waitFor();
    await page.goto(account("/journal"));
    await page
      .getByText(/Bought .* of BTC\/USD/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Verify journal" }).click();
    await page.getByText(/The chain is intact/).waitFor();
  });

  test("an emergency flatten needs the account's last characters, and is journaled as the owner's", async () => {
    // The second time closes the position of the first, so there is a closed trade.
    for (let times = 0; times < 2; times += 1) await tradeInEveryWay(service.client);
    await page.goto(account("/positions"));
    await page.getByRole("button", { name: "Close all positions" }).click();
    const dialog = page.getByRole("dialog");
    const close = dialog.getByRole("button", { name: "Close all positions" });
    expect(await close.isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill(service.accountId.slice(-4));
    await close.click();
    await dialog.getByText("Closed: BTCUSD").waitFor();
    expect(await service.client.positions()).toEqual([]);
    await page.goto(account("/journal"));
    await page.getByText("owner", { exact: true }).first().waitFor();
    await page.goto(account("/trades"));
    await page.getByRole("row").filter({ hasText: "BTC/USD" }).nth(1).waitFor();
  });

  test("a session reads and never trades: the API wants a signature", async () => {
    await page.goto(account());
    const answer = await page.evaluate(async () => {
      const response = await fetch("/api/v1/trading/orders", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ trade: { execution_type: "FLAT_ALL" } }),
      });
      return [response.status, await response.text()];
    });
    expect(answer).toEqual([401, '{"error":"Missing credentials"}']);
  });

  test.each([
    ["without an Origin", {}],
    ["with another site's", { Origin: "https://evil.example" }],
  ])("a stolen cookie %s changes nothing", async (_, headers) => {
    await visit.context.clearCookies();
    await fillSignIn(page, { name: "owner", password: PAGES_PASSWORD });
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    const cookies = await visit.context.cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const response = await fetch(`${service.pagesUrl}/dashboard/v1/sign-out-everywhere`, {
      method: "POST",
      headers: { Cookie: cookie, ...headers },
    });
    expect(response.status).toBe(403);
    await page.goto(account());
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    expect(cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite])).toEqual([
      [true, "Strict"],
      [true, "Strict"],
    ]);
  });

  test("another owner's account is not found", async () => {
    const { accountId } = await service.operator("/accounts", { size: 50_000 });
    await page.goto(account());
    const status = await page.evaluate(
      async (path) => (await fetch(path)).status,
      `/dashboard/v1/accounts/${String(accountId)}/state`,
    );
    expect(status).toBe(404);
    await page.goto(`/a/${String(accountId)}`);
    await page.getByText("Account not found").first().waitFor();
  });

  test("signing out everywhere ends the other browser too", async () => {
    const other = await openVisit(service.pagesUrl, DESKTOP, await service.signIn("owner"));
    await other.page.goto(account());
    await other.page.getByRole("navigation", { name: "Pages" }).waitFor();
    await page.goto(account());
    await page.getByRole("button", { name: "owner" }).click();
    await page.getByRole("menuitem", { name: "Sign out everywhere" }).click();
    await page.waitForURL("**/sign-in**");
    await other.page.reload();
    await other.page.waitForURL("**/sign-in**");
    await other.close();
  });
});

/** The number of bytes that are sent to a browser that accepts gzip. */
function gzippedSize(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { "Accept-Encoding": "gzip" } }, (response) => {
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
      });
      response.on("end", () => resolve(size));
    })
      .on("error", reject)
      .end();
  });
}

/** Closes all positions. Then opens one with legs of every kind, and places a pending order of each kind. */
async function tradeInEveryWay(client: Client): Promise<void> {
  const market = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" } as const;
  const limit = { ...market, execution_type: "LIMIT", limit_price: 20_000 } as const;
  const stop = { stop_price: 19_000, stop_condition: "LTE" } as const;
  const bracket = { execution_type: "BRACKET", trade_pair: "BTCUSD" } as const;
  await client.placeOrder({ trade: { execution_type: "FLAT_ALL" } });
  const orders: readonly OrderTrade[] = [
    { ...market, leverage: 0.5, stop_loss: 20_000, take_profit: 90_000 },
    { ...bracket, trailing_stop: { trailing_percent: 0.2 }, bracket_pct: 0.5 },
    { ...limit, value: 5_000, stop_loss: 15_000 },
    { ...limit, ...stop, execution_type: "STOP_LIMIT", quantity: 0.05 },
  ];
  for (const trade of orders) {
    expect(await client.placeOrder({ trade })).toMatchObject({ fate: "accepted" });
  }
}

async function exactOf(figure: ReturnType<Page["locator"]>): Promise<string> {
  return ((await figure.getAttribute("title")) ?? "").split(" · ")[0] ?? "";
}
