import { beforeAll, describe, expect, test } from "vitest";
import { OWNER } from "../../packages/server/src/testing/harness.ts";
import {
  type LinkedService,
  openLinkedService,
} from "../../packages/server/src/testing/linked-service.ts";
import {
  closeBrowser,
  DESKTOP,
  hasBrowser,
  openVisit,
  PHONE,
  sessionOf,
  type Visit,
} from "./browser.ts";
import { readPagesMount } from "./read-pages-mount.ts";

describe.skipIf(!hasBrowser())("a subaccount of a stand-in validator on the pages", () => {
  let service: LinkedService;

  beforeAll(async () => {
    service = await openLinkedService({ mount: await readPagesMount() });
    return async () => {
      await closeBrowser();
      await service.close();
    };
  });

  const visit = async (name: "owner" | "operator", look = PHONE): Promise<Visit> => {
    const person = await service.harness.signIn(name);
    const url = `http://localhost:${service.harness.port}`;
    return openVisit(url, look, sessionOf(url, person.cookie()));
  };

  test("the operator links it by the form, and its owner sees its figures and the first line of its journal", async () => {
    const { hotkey } = await service.standIn.control.addSubaccount({ assetClass: "hl_all" });
    const operator = await visit("operator");
    const console = operator.page;
    await console.goto("/console/accounts");
    await console.getByRole("button", { name: "Link a subaccount" }).click();
    await console.getByRole("textbox", { name: "Subaccount" }).fill(hotkey);
    await console.getByRole("textbox", { name: "Owner id", exact: true }).fill(OWNER);
    await console.getByRole("button", { name: "Link subaccount" }).click();
    await console.getByText("The subaccount is linked.").waitFor();
    const link = console.getByRole("link", { name: "Create an API key" });
    const keys = (await link.getAttribute("href")) ?? "";
    await console.getByRole("button", { name: "Done" }).click();
    const [, accountId = ""] = /\/a\/([^/]+)\/keys$/.exec(keys) ?? [];
    const listed = console.getByRole("link", { name: `${accountId.slice(0, 13)}…` });
    await listed.filter({ visible: true }).first().waitFor();
    expect(operator.complaints).toEqual([]);
    await operator.close();

    const owner = await visit("owner");
    const { page } = owner;
    const own = keys.replace(/\/keys$/, "");
    await page.goto(own);
    await page.getByText("100,000.00").first().waitFor();
    expect(await page.locator("main").innerText()).not.toMatch(/NaN|\bnull\b|undefined/);
    await page.goto(`${own}/journal`);
    const line = page.getByRole("button", { name: "Event 1", exact: true });
    await line.filter({ visible: true }).click();
    const observedNote = page.getByText("Read at the validator, not decided here.");
    await observedNote.filter({ visible: true }).waitFor();
    expect(owner.complaints).toEqual([]);
    await owner.close();
  });

  test.each([
    ["on a desk", DESKTOP],
    ["on a phone", PHONE],
  ])(
    "the owner sees the fills and fees of a trade %s, and -- for what was not sent",
    async (_, look) => {
      const { harness, standIn } = service;
      await standIn.control.setPrices({ BTCUSDC: { bid: 49_990, ask: 50_000 } });
      const { accountId, signer } = await service.newLinked({ assetClass: "all_markets" });
      const buy = { execution_type: "MARKET", trade_pair: "BTCUSDC", order_type: "LONG" };
      for (const trade of [{ ...buy, quantity: 0.1 }, { execution_type: "FLAT_ALL" }]) {
        expect((await harness.order(trade, { signer })).status).toBe(200);
      }
      const owner = await visit("owner", look);
      const { page } = owner;
      await page.goto(`/a/${accountId}/trades`);
      await page.getByRole("button", { name: "Fills of" }).filter({ visible: true }).click();
      const visible = (text: string) => page.getByText(text).filter({ visible: true }).first();
      await visible("market LONG, opens").waitFor();
      await visible("flatten SHORT, closes").waitFor();
      await visible("transaction").waitFor();
      await visible("The network sends the result and the fees of the whole trade").waitFor();
      const shown = page.locator("[data-field='fills[].realizedPnl']").filter({ visible: true });
      expect(await shown.allInnerTexts()).toEqual(["--", "--"]);
      expect(await page.locator("main").innerText()).not.toMatch(/NaN|\bnull\b|undefined|differ/);
      expect(owner.complaints).toEqual([]);
      await owner.close();
    },
  );
});
