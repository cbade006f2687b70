import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accountId } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../../../server/src/testing/harness.ts";
import { createOperatorCommand } from "../testing/run-operator.ts";

const WEEK_MS = 7 * 86_400_000;

let service: Harness;
let folder = "";

beforeAll(async () => {
  service = await openHarness();
  folder = await mkdtemp(join(tmpdir(), "propgate-cli-"));
  return async () => {
    await service.close();
    await rm(folder, { recursive: true });
  };
});

const operator = createOperatorCommand(() => `http://127.0.0.1:${service.port}`);

async function said(...given: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await operator(...given);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

async function fileOf(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

describe("propgate operator programs [D7.versions]", () => {
  test("what show prints is edited, checked, added and sold", async () => {
    const { version, ...classic } = JSON.parse(await said("programs", "show", "classic"));
    const next = await fileOf("next.json", { ...classic, version: version + 1, cooldownMs: 5_000 });
    expect(await said("programs", "check", next)).toBe("classic version 3 could be added\n");
    expect(await said("programs", "add", next)).toBe("classic version 3 added\n");
    const now = new Date(service.time.clock.now()).toISOString().replace("T", " ").slice(0, 19);
    expect(await said("programs", "list")).toMatch(
      new RegExp(
        `^PROGRAM +VARIANT +VERSION +VERSIONS +ADDED\\nclassic +classic +3 +2 +${now}Z\\npro +pro +2 +1 `,
      ),
    );
    expect(JSON.parse(await said("programs", "show", "classic")).cooldownMs).toBe(5_000);
    const first = await said("programs", "show", "classic", "--program-version", "2");
    expect(JSON.parse(first).cooldownMs).toBe(0);
  });

  test("what is wrong is named, and ends with the code of its kind", async () => {
    const classic = JSON.parse(await said("programs", "show", "classic"));
    const refusal = async (...given: readonly string[]) => {
      const { code, stderr } = await operator("programs", ...given);
      return [code, stderr.split("\n")[0]];
    };
    const gone = await fileOf("gone.json", { ...classic, profitSplit: "all" });
    expect(await refusal("add", gone)).toEqual([
      2,
      'propgate: program: profitSplit must be a share above 0 and at most 2, such as 0.8 for 80 %, not "all"',
    ]);
    expect(await refusal("add", await fileOf("again.json", classic))).toEqual([
      1,
      `propgate: program: version must be ${classic.version + 1}, the next one of classic, not ${classic.version}`,
    ]);
    expect(await refusal("check", join(folder, "nowhere.json"))).toEqual([
      2,
      expect.stringContaining("propgate: cannot read the program from "),
    ]);
    for (const text of ["{", `${"[".repeat(1e5)}${"]".repeat(1e5)}`]) {
      expect(await refusal("check", await fileOf("text.json", text))).toEqual([
        2,
        expect.stringMatching(/^propgate: the program in .*text\.json is not valid JSON: /),
      ]);
    }
    expect(await refusal("show", "gold")).toEqual([1, "propgate: Program not found"]);
    expect(await refusal("show", "pro", "--program-version", "7")).toEqual([
      1,
      "propgate: pro has no version 7",
    ]);
  });

  test("a catalogue is checked against the running service's rules", async () => {
    const { code, stderr } = await operator("catalogue", "check", await fileOf("c.json", []));
    expect([code, stderr]).toEqual([
      2,
      "propgate: catalogue: the document must be a catalogue, not []\n",
    ]);
    const own = join(import.meta.dirname, "../../../market/data/catalogue.json");
    expect(await said("catalogue", "check", own)).toMatch(/^\d+ instruments without problems\n$/);
  });
});

describe("propgate operator accounts and payouts", () => {
  test("an account is promoted, earns, is paid and is offered more [D7.payment]", async () => {
    const created = await said(
      "--json",
      "accounts",
      "open",
      "--size",
      "100000",
      "--program",
      "classic",
    );
    const id = accountId(JSON.parse(created).accountId);
    expect(await said("accounts", "promote", id, "--phase", "challenge")).toBe(`${id} promoted\n`);
    expect(await said("payouts", "list")).toBe("No such payouts.\n");
    const signer = await service.newKey({ accountId: id });
    const trade = { execution_type: "MARKET", trade_pair: "BTCUSD" };
    await service.quote("BTCUSD", 50_000, 50_000);
    await service.order({ ...trade, order_type: "LONG", quantity: 1 }, { signer });
    await service.quote("BTCUSD", 51_000, 51_000);
    await service.order({ ...trade, order_type: "FLAT" }, { signer });
    await service.pass(WEEK_MS);

    const monday = Date.UTC(2026, 0, 12);
    const payout = `po_${id}_${monday}`;
    const list = await said("payouts", "list", "--status", "pending");
    expect(list.split("\n")[1]).toMatch(new RegExp(`^${payout} +969.7 +pending$`));
    for (const line of list.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const paid = ["--status", "paid", "--rail", "bank", "--reference", "wire 7"];
    expect(await said("payouts", "record", payout, ...paid)).toContain("status     paid\n");
    const shown = await said("payouts", "get", payout);
    expect(shown).toMatch(/^reference +wire 7$/m);
    expect(shown).toMatch(/^to +2026-01-12 00:00:00Z$/m);
    const again = await operator("payouts", "record", payout, "--status", "failed");
    expect([again.code, again.stderr]).toEqual([1, "propgate: The payout is paid already\n"]);

    const offer = ["accounts", "offer-pro", id, "--size"];
    const small = await operator(...offer, "5000");
    expect([small.code, small.stderr]).toEqual([
      2,
      "propgate: --size: must be whole dollars from 10000 to 1000000, not 5000\n",
    ]);
    expect(await said(...offer, "200000")).toBe(`${id} offered a pro account\n`);
    expect((await operator(...offer, "200000")).stderr).toBe(
      "propgate: The account is on the pro track already\n",
    );
  });
});
