import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRecord } from "@propgate/contract";
import type { Command } from "commander";
import { beforeAll, describe, expect, test } from "vitest";
import { scaledCount } from "../../../test/environment/depth.ts";
import { readDocument, specificationText } from "../../../test/specification/document.ts";
import { specifiedFields } from "../../../test/specification/specified-fields.ts";
import { buildProgram, loadCommands } from "./program.ts";
import { commandLeaves } from "./testing/command-leaves.ts";
import { HIDDEN_CHARACTER, HOSTILE_TEXT } from "./testing/hostile-text.ts";
import { type MadeService, openMadeService } from "./testing/made-service.ts";
import { createPersonTerminal } from "./testing/person-terminal.ts";
import { type CliResult, runCli } from "./testing/run-cli.ts";

/** A text with hidden characters, which the service puts into every text of its answers. */
const TEXT = `x${HOSTILE_TEXT}`;

/** Commands that do not read the signed API with a trader's key. The test runs every other command. */
const NOT_READING: readonly RegExp[] = [
  /^(serve|sandbox|sign|verify|completion|migrate|backup|restore|rejudge|mcp)$/,
  /^(profile|prices|evidence|journal|operator) /,
  // These commands follow the event stream until they are stopped, or verify its events.
  /^events (tail|forward|replay|verify)$/,
  // This command reads the markets of a venue, not the signed API.
  /^instruments import$/,
  // The commands that send or settle orders have a test of their own below.
  /^order (market|limit|stop-limit|bracket|edit|cancel|flat)$/,
  /^settle$/,
];
/** The values that the test gives for arguments, by the arguments' names. */
const GIVEN: Readonly<Record<string, string>> = { pair: "BTCUSD", seconds: "60", id: "x-1" };

/** Further words that a command needs in addition to its arguments. */
const BESIDE: Readonly<Record<string, readonly string[]>> = { watch: ["--once"] };

let service: MadeService;
let folder = "";
let program: Command;

beforeAll(async () => {
  service = await openMadeService(TEXT);
  folder = await mkdtemp(join(tmpdir(), "propgate-every-"));
  program = buildProgram(createPersonTerminal({ env: {} }).terminal, await loadCommands());
  return async () => {
    service.close();
    await rm(folder, { recursive: true });
  };
});

/** A command, and the words of its command line. */
interface Reading {
  readonly name: string;
  readonly words: readonly string[];
}

function commands(): readonly Reading[] {
  return commandLeaves(program)
    .filter(({ name }) => !NOT_READING.some((pattern) => pattern.test(name)))
    .map(({ name, command }) => ({
      name,
      words: [
        ...name.split(" "),
        ...command.registeredArguments.map((one) => GIVEN[one.name()] ?? ""),
        ...(BESIDE[name] ?? []),
      ],
    }));
}

async function ask({ words }: Reading, form: readonly string[] = []): Promise<CliResult> {
  return runCli([...words, ...form], {
    env: {
      XDG_CONFIG_HOME: folder,
      PROPGATE_BASE_URL: service.baseUrl,
      PROPGATE_KEY_ID: "pk_00000000000000000000",
      PROPGATE_SECRET: "secret",
    },
  });
}

describe("every command that reads with a trader's key", () => {
  test("every command prints no hidden character of any text of its answers", async () => {
    service.edit((answer) => answer);
    const wrong: unknown[] = [];
    for (const one of commands()) {
      for (const form of [[], ["--json"]]) {
        const { code, stdout, stderr } = await ask(one, form);
        const printed = stdout + stderr;
        const isClean = printed !== "" && HIDDEN_CHARACTER.exec(printed) === null;
        if (!isClean || code === 70 || service.takeCalls().length === 0)
          wrong.push([one.name, form, printed]);
      }
    }
    expect(wrong).toEqual([]);
  });

  test.each([{}, null, [null], 1, "x", [[]]].map((data) => ({ data })).slice(0, scaledCount(6, 2)))(
    "no command calls an answer of another form a fault of its own: %j",
    async ({ data }) => {
      service.edit(() => ({ success: true, data }));
      const wrong: unknown[] = [];
      for (const one of commands()) {
        const { code, stderr } = await ask(one);
        if (code === 70 || /\n {4}at /.test(stderr)) wrong.push([one.name, code, stderr]);
      }
      expect(wrong).toEqual([]);
    },
  );

  test.each([{}, null, [], "x"].map((data) => ({ data })).slice(0, scaledCount(4, 2)))(
    "no command of an order calls an answer of another form a fault of its own: %j",
    async ({ data }) => {
      service.edit(() => ({ success: true, data }));
      const limit = ["--settle-timeout", "1"];
      const orders = [
        ["order", "market", "BTCUSD", "long", "--value", "5", "--yes", ...limit],
        ["order", "bracket", "BTCUSD", "--stop", "1", "--yes", ...limit],
        ["order", "edit", "o-1", "--price", "1", "--yes", ...limit],
        ["order", "cancel", "o-1", "--yes", ...limit],
        ["order", "flat", "BTCUSD", "--yes", ...limit],
        ["settle", "n-1", ...limit],
      ];
      const wrong: unknown[] = [];
      await Promise.all(
        orders.map(async (words) => {
          const { code, stderr } = await ask({ name: "", words });
          if (code === 70 || /\n {4}at /.test(stderr)) wrong.push([words, code, stderr]);
        }),
      );
      expect(wrong).toEqual([]);
    },
  );

  test("payouts whose page names itself as the next one end", async () => {
    const page = { items: [], nextCursor: "same", accrual: null, accrualStatus: "not_applicable" };
    service.edit(() => ({ success: true, data: page }));
    const { code, stderr } = await ask({ name: "payouts", words: ["payouts"] });
    expect([code, stderr]).toEqual([3, expect.stringContaining("not an answer of this API")]);
  });

  test("an order's life whose page names itself as the next one ends", async () => {
    service.edit((answer) =>
      isRecord(answer) && isRecord(answer.data)
        ? { ...answer, data: { ...answer.data, next: "5-same" } }
        : answer,
    );
    const { code, stderr } = await ask({ name: "order show", words: ["order", "show", "x-1"] });
    expect([code, stderr]).toEqual([3, expect.stringContaining("not an answer of this API")]);
  });

  test("every command works with the fields of the specification alone", async () => {
    const fields = specifiedFields(readDocument(specificationText()));
    const paths = (schema: string) =>
      fields.filter((field) => field.schema === schema).map(({ path }) => path);
    service.edit((answer, call) => {
      const schema = SCHEMAS[call.split("/").at(-1) ?? ""];
      return schema === undefined ? answer : onlyFields(answer, paths(schema));
    });
    const wrong: unknown[] = [];
    for (const one of commands()) {
      const { code, stderr } = await ask(one);
      // The doctor fails, because a service with only the specification's fields lacks parts that it checks.
      const expected = one.name === "doctor" ? 1 : 0;
      if (code !== expected || stderr !== "") wrong.push([one.name, code, stderr]);
    }
    expect(wrong).toEqual([]);
  });
});

/** The schemas of the specification's reads, by the ends of their paths. */
const SCHEMAS: Readonly<Record<string, string>> = {
  account: "Account",
  positions: "Position",
  orders: "PendingOrder",
  trades: "Trade",
  payouts: "Payouts",
};

/** The answer without the fields whose path is not listed. An object of which no field is listed keeps all fields. */
function onlyFields(answer: unknown, paths: readonly string[]): unknown {
  const known = new Set(paths.map((path) => path.replaceAll("[]", "")));
  const kept = (value: unknown, at: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => kept(one, at));
    if (!isRecord(value)) return value;
    const inner = [...known].filter((path) => at === "" || path.startsWith(`${at}.`));
    if (inner.length === 0) return value;
    const isKept = (path: string) =>
      inner.some((one) => one === path || one.startsWith(`${path}.`));
    return Object.fromEntries(
      Object.entries(value)
        .map(([name, one]) => [at === "" ? name : `${at}.${name}`, name, one] as const)
        .filter(([path]) => isKept(path))
        .map(([path, name, one]) => [name, kept(one, path)]),
    );
  };
  return isRecord(answer) ? { ...answer, data: kept(answer.data, "") } : answer;
}
