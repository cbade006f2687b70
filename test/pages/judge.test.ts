import { text } from "node:stream/consumers";
import { accountId, CHAIN_START, chainHash } from "@propgate/core";
import { resultOf } from "@propgate/sdk";
import { createFileJudge, type openServiceDatabase } from "@propgate/server";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { journalLines } from "../../packages/ledger/src/storage/journal/journal-store.ts";
import { sha256 } from "../../packages/ledger/src/storage/journal/line-hash.ts";
import { closeBrowser, DESKTOP, hasBrowser, openVisit, PHONE, type Visit } from "./browser.ts";
import { openPagedService, type PagedService } from "./paged-service.ts";

type StoredData = Awaited<ReturnType<typeof openServiceDatabase>>;
type Line = Parameters<typeof chainHash>[2];

const MARKET = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" } as const;

/** Changes the lines of a journal with `edit`, and gives all lines hashes that fit. */
async function forgeJournal(
  database: StoredData,
  id: string,
  edit: (line: Line) => Line,
): Promise<void> {
  let hash = CHAIN_START;
  const range = { after: 0, upTo: Number.MAX_SAFE_INTEGER };
  for await (const line of journalLines(database, accountId(id), range)) {
    const { event, inputs } = edit(line);
    hash = chainHash(sha256, hash, { ...line, event, inputs });
    await database.query(
      "update journal set event = $3, inputs = $4, hash = $5 where account_id = $1 and seq = $2",
      [id, line.seq, event, inputs, hash],
    );
  }
  await database.query("update accounts set head_hash = $2 where account_id = $1", [id, hash]);
}

describe.skipIf(!hasBrowser())("the journal page judges the journal again", () => {
  let service: PagedService;
  let visit: Visit;
  let page: Page;

  /**
   * The ids of further accounts of the owner, by the way in which their journals were changed. All hashes fit the
   * changed lines.
   */
  const forgedAccounts = { about: "", ofOtherRelease: "", withoutInputs: "" };
  const openJournal = (id: string) => page.goto(`/a/${id}/journal`);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const verdict = (kind: string) => page.locator(`[data-judgement="${kind}"]`);

  beforeAll(() => closeBrowser);
  beforeAll(async () => {
    service = await openPagedService(60, "made");
    return () => service.stop();
  });
  beforeAll(async () => {
    const { items } = await service.operator(`/accounts?q=${service.accountId}`);
    const [{ ownerId }] = items as readonly [{ readonly ownerId: string }];
    for (const name of ["about", "ofOtherRelease", "withoutInputs"] as const) {
      const { accountId } = await service.operator("/accounts", { size: 50_000, ownerId });
      forgedAccounts[name] = String(accountId);
    }
    const scopes = ["trade:read", "trade:place"];
    const key = await service.operator("/keys", { accountId: forgedAccounts.about, scopes });
    const keyOfLied = { keyId: String(key.keyId), secret: String(key.secret) };
    const first = { trade: { ...MARKET, leverage: 0.1 } };
    resultOf(await service.clientOf(keyOfLied).placeOrder(first));
    for (const _ of [1, 2, 3]) resultOf(await service.client.placeOrder(first));
    await service.restart(async (database) => {
      await forgeJournal(database, forgedAccounts.about, (line) => ({
        ...line,
        event: line.event.replace(/("type":"orderFilled".*"fee":)/, "$11"),
      }));
      await forgeJournal(database, forgedAccounts.ofOtherRelease, (line) => ({
        ...line,
        inputs: line.inputs?.replace(/"[\d.]+"/, '"9.8.7"') ?? null,
      }));
      await forgeJournal(database, forgedAccounts.withoutInputs, (line) => ({
        ...line,
        inputs: null,
      }));
    });
  });
  beforeAll(async () => {
    const owner = await service.signIn("owner");
    visit = await openVisit(service.pagesUrl, { ...PHONE, reducedMotion: true }, owner);
    page = visit.page;
    return () => visit.close();
  });
  afterEach(() => {
    // The only permitted complaint is about the call that a test cuts on purpose.
    const others = visit.complaints.filter((complaint) => !complaint.includes("ERR_FAILED"));
    expect(others).toEqual([]);
  });

  test("an honest journal of a traded account has no line that differs", async () => {
    const scripts: string[] = [];
    page.on("request", (request) => scripts.push(request.url()));
    await openJournal(service.accountId);
    await button("Verify journal").waitFor();
    const isJudge = (url: string): boolean => url.includes("/assets/judge-journal-");
    expect(scripts.some(isJudge)).toBe(false);
    await button("Judge again").focus();
    await page.keyboard.press("Enter");
    await verdict("same").waitFor();
    expect(await verdict("same").textContent()).toMatch(
      /^✓ No line differs: 4 decisions made again, \d+ lines compared\.$/,
    );
    expect(scripts.filter(isJudge)).toHaveLength(1);
    expect(await button("Judge again").evaluate((node) => node === document.activeElement)).toBe(
      true,
    );
  });

  test("the downloaded file is judged without the service", async () => {
    await openJournal(service.accountId);
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download journal" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`journal-${service.accountId}.jsonl`);
    const judge = createFileJudge();
    const texts = (await text(await download.createReadStream())).split("\n");
    for (const text of texts.slice(0, -1)) judge.read(text);
    expect(judge.judgement()).toMatchObject({ judged: 4, different: null });
  });

  test("a connection that is cut is reported, and the judgement continues after its last line", async () => {
    const parts: string[] = [];
    let cuts = 1;
    await page.route("**/journal/export?*", (route) => {
      const url = new URL(route.request().url());
      const after = url.searchParams.get("after") ?? "";
      parts.push(after);
      if (after === "2" && cuts > 0) {
        cuts -= 1;
        return route.abort();
      }
      url.searchParams.set("limit", "1");
      return route.continue({ url: url.href });
    });
    await openJournal(service.accountId);
    await button("Judge again").click();
    await page.getByText(/cannot be reached.*No line up to 2 of \d+ differs so far/).waitFor();
    await button("Continue").click();
    await verdict("same").waitFor();
    expect(parts.slice(0, 5)).toEqual(["0", "1", "2", "2", "3"]);
    expect(await verdict("same").textContent()).toContain("4 decisions made again");
    await page.unroute("**/journal/export?*");
  });

  test("a judgement can be cancelled and started again", async () => {
    await page.route("**/journal/export?*", () => undefined);
    await openJournal(service.accountId);
    await button("Judge again").click();
    await page.getByText("Loading the journal…").waitFor();
    await button("Cancel").click();
    await page.getByText("Cancelled. Nothing was found out.").waitFor();
    await page.unroute("**/journal/export?*");
    await button("Judge again").click();
    await verdict("same").waitFor();
  });

  test("a changed line is named with both values, though every hash fits", async () => {
    // A wide window shows the table.
    await page.setViewportSize(DESKTOP);
    await openJournal(forgedAccounts.about);
    await button("Verify journal").click();
    await page.getByText(/The chain is intact/).waitFor();
    await button("Judge again").click();
    await verdict("different").waitFor();
    const text = await verdict("different").textContent();
    expect(text).toMatch(/^✗ Line 2 differs: its inputs give another event\./);
    const cells = page.getByRole("region", { name: "Differences" }).getByRole("cell");
    const [field, written, decided] = await cells.allTextContents();
    expect([field, written]).toEqual(["fee", `1${decided}`]);
    await page.setViewportSize(PHONE);
  });

  test("decisions of another release are named as not judged, and one without inputs differs", async () => {
    await openJournal(forgedAccounts.ofOtherRelease);
    await button("Judge again").click();
    await verdict("none").waitFor();
    expect(await verdict("other-release").textContent()).toMatch(
      /^1 decision not judged, because release 9\.8\.7 made them and this page has release/,
    );
    await openJournal(forgedAccounts.withoutInputs);
    await button("Judge again").click();
    await verdict("different").waitFor();
    expect(await verdict("different").textContent()).toMatch(
      /^✗ Line 1 differs: it begins a decision and has no inputs\./,
    );
  });
});
