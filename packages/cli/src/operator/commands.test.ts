import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OPERATOR_CALLS, OPERATOR_LISTS } from "@propgate/contract";
import type { Command } from "commander";
import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../../../server/src/testing/harness.ts";
import { buildProgram, loadCommands } from "../program.ts";
import { createPersonTerminal } from "../testing/person-terminal.ts";
import { createOperatorCommand, printedJson } from "../testing/run-operator.ts";
import { kebabCase, optionName } from "./call-fields.ts";

let service: Harness;
let folder = "";
let program: Command;

beforeAll(async () => {
  service = await openHarness({ accountsPerOwner: 2 });
  folder = await mkdtemp(join(tmpdir(), "propgate-operator-"));
  program = buildProgram(createPersonTerminal({ env: {} }).terminal, await loadCommands());
  return async () => {
    await service.close();
    await rm(folder, { recursive: true });
  };
});

const operator = createOperatorCommand(() => `http://127.0.0.1:${service.port}`);

const answer = (...given: readonly string[]): Promise<Record<string, unknown>> =>
  printedJson(operator(...given, "--json"));

function commandOf(words: readonly string[]): Command | undefined {
  return words.reduce<Command | undefined>(
    (group, word) => group?.commands.find((one) => one.name() === word),
    program,
  );
}

/** The commands of calls whose words differ from the call's name. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  "programs.get": "operator programs show",
  "programs.validate": "operator programs check",
  "catalogue.validate": "operator catalogue check",
  "corporateActions.announce": "operator corporate-actions split",
  "prices.effect": "operator prices use",
  "journal.verify": "journal verify",
  "journal.rebuild": "journal rebuild",
  "journal.export": "journal export",
  backup: "backup",
};

describe("the commands of the operator's calls", () => {
  test.each(Object.keys(OPERATOR_CALLS))("%s has a command", (name) => {
    const words = OTHER_WORDS[name] ?? `operator ${name.split(".").map(kebabCase).join(" ")}`;
    expect(commandOf(words.split(" "))?.commands).toEqual([]);
  });

  test("every filter of the list of accounts is an option by its name [D12.lists]", () => {
    const options = commandOf(["operator", "accounts", "list"])?.options.map(({ long }) => long);
    const names = OPERATOR_LISTS["accounts.list"].parameters.map(optionName);
    expect(names.filter((name) => !options?.includes(name))).toEqual([]);
    expect(options).toContain("--nearest-used-of-limit-pct-min");
    expect(options).toContain("--ended-at-min");
  });

  test("a list takes filters, a sort, fields and a format [D12.lists]", async () => {
    for (const size of ["25000", "50000", "75000"])
      await answer("accounts", "open", "--size", size);
    const filters = ["--size-min", "50000", "--sort", "-size", "--fields", "size,status"];
    const opened = ["--opened-at-min", "2026-01-05T00:00Z", "--status", "active,provisioning"];
    const listed = await operator("accounts", "list", ...filters, ...opened, "--json");
    expect(JSON.parse(listed.stdout)).toEqual(
      [100_000, 75_000, 50_000].map((size) => ({ size, status: "active" })),
    );
    const file = await operator("accounts", "list", ...filters, "--format", "csv");
    expect(file.stdout).toBe("size,status\r\n100000,active\r\n75000,active\r\n50000,active\r\n");
    const page = await answer("accounts", "list", ...filters, "--limit", "1");
    expect(page).toMatchObject({ items: [{ size: 100_000 }], total: 3 });
    const shown = await operator("accounts", "list", ...filters, "--limit", "1");
    expect(shown.stdout).toMatch(/^ +SIZE +STATUS\n100000 +active\nMore with --after \S+\n$/);
    const wrong = await operator("accounts", "list", "--ended-at-min", "yesterday");
    expect([wrong.code, wrong.stderr.split("\n")[0]]).toEqual([
      2,
      "propgate: --ended-at-min is not a time with its zone: yesterday",
    ]);
    expect((await operator("accounts", "list", "--state", "active")).code).toBe(2);
  });

  test("a list with a filter that finds no item says so, and does not deny that there are any", async () => {
    const accounts = await operator("accounts", "list", "--size-min", "99999999");
    expect(accounts.stdout).toBe("No account fits the filter.\n");
    const page = await operator("accounts", "list", "--q", "none-has-it", "--limit", "5");
    expect(page.stdout).toBe("No account fits the filter.\n");
    const keys = await operator("keys", "list", "--label", "none-has-it");
    expect(keys.stdout).toBe("Nothing matches.\n");
  });

  test("a bulk takes a file, shows the rows that were refused, and ends with 1 for them [D12.bulk]", async () => {
    const path = join(folder, "rows.csv");
    await writeFile(path, "size,externalId\r\n50000,row-1\r\n7,row-2\r\n");
    const checked = await operator("accounts", "bulk", "--file", path, "--dry-run");
    expect([checked.code, checked.stdout]).toEqual([
      1,
      expect.stringMatching(/^row 2: size: .*\n1 row would be done, 1 refused\n$/),
    ]);
    expect(await answer("accounts", "list", "--external-id", "row-1")).toEqual([]);
    const refused = await operator("accounts", "bulk", "--file", path);
    expect(refused.stdout).toMatch(/^row 2: size: .*\n1 row done, 1 refused\n$/);
    await writeFile(path, "size,externalId\r\n50000,row-3\r\n7,row-2\r\n");
    const done = await operator("accounts", "bulk", "--file", path, "--json");
    expect(
      done.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([
      { row: 1, status: 200 },
      { row: 2, status: 400, field: "size" },
    ]);
    expect(await answer("accounts", "list", "--external-id", "row-1")).toMatchObject([
      { externalId: "row-1" },
    ]);
    expect((await operator("accounts", "bulk", "--file", "rows.txt")).code).toBe(2);
  });

  test("an owner's maximum is set, passed and lifted, and an account gets its external id", async () => {
    const open = ["accounts", "open", "--size", "50000", "--owner", "owner-max"];
    await answer(...open, "--new-owner");
    expect(await answer("owners", "update", "owner-max", "--accounts-max", "1")).toMatchObject({
      accountsMax: 1,
    });
    const refused = await operator(...open);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("--owner: has 1 open accounts"),
    ]);
    const { accountId } = await answer(...open, "--override");
    expect(await answer("owners", "update", "owner-max", "--accounts-max", "null")).toMatchObject({
      accountsMax: null,
    });
    const named = ["accounts", "update", String(accountId), "--external-id", "sale-9"];
    expect(await answer(...named)).toMatchObject({ externalId: "sale-9" });
  });

  test("a token may go on with the keys of another one", async () => {
    await answer("tokens", "add", "first");
    await operator("tokens", "revoke", "first");
    const added = await answer(
      "tokens",
      "add",
      "second",
      "--expires",
      "12h",
      "--succeeds",
      "first",
    );
    expect(added).toMatchObject({ name: "second" });
  });

  test("the end of an account has its evidence, and exposure and stress are shown", async () => {
    const { accountId } = await answer("accounts", "open", "--size", "50000");
    const alive = await operator("accounts", "evidence", String(accountId));
    expect(alive.code).toBe(1);
    await answer("accounts", "eliminate", String(accountId), "--reason", "House rules");
    const evidence = await operator("accounts", "evidence", String(accountId));
    expect(JSON.parse(evidence.stdout)).toMatchObject({ format: "propgate-evidence/1" });
    expect(await answer("exposure", "--by", "pair")).toMatchObject({ items: [] });
    const stress = await operator("stress", "--move-pct", "-5,5", "--status", "active", "--json");
    expect(JSON.parse(stress.stdout)).toMatchObject({ items: expect.any(Array) });
  });
});
