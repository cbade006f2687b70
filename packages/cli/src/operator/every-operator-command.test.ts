import type { Command } from "commander";
import { beforeAll, describe, expect, test } from "vitest";
import { scaledCount } from "../../../../test/environment/depth.ts";
import { buildProgram, loadCommands } from "../program.ts";
import { commandLeaves } from "../testing/command-leaves.ts";
import { HIDDEN_CHARACTER, HOSTILE_TEXT } from "../testing/hostile-text.ts";
import { type MadeService, openMadeService } from "../testing/made-service.ts";
import { createPersonTerminal } from "../testing/person-terminal.ts";
import { type CliResult, runCli } from "../testing/run-cli.ts";

/** A text with hidden characters, which the service puts into every text of its answers. */
const TEXT = `x${HOSTILE_TEXT}`;

/** The values that the test gives for arguments, by the arguments' names. */
const GIVEN: Readonly<Record<string, string>> = {
  "account-id": "01890a5d-ac96-774b-bcce-b302099a8057",
  // The name of the one person whom the service lists.
  name: TEXT,
  pair: "BTCUSD",
};

/** The options without which a command does not run. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = { "operator search": ["--q", "x"] };

let service: MadeService;
let program: Command;

beforeAll(async () => {
  service = await openMadeService(TEXT);
  program = buildProgram(
    createPersonTerminal({ env: {} }).terminal,
    await loadCommands(["operator"]),
  );
  return () => service.close();
});

interface Walked {
  readonly name: string;
  readonly words: readonly string[];
}

/** Every command below `operator` that needs neither a file nor a mandatory option, except those of `OPTIONS`. */
function commands(): readonly Walked[] {
  return commandLeaves(program)
    .filter(({ name, command }) => {
      const isOpen = !command.options.some(({ mandatory }) => mandatory) || name in OPTIONS;
      return isOpen && !command.registeredArguments.some((one) => one.name() === "file");
    })
    .map(({ name, command }) => ({
      name,
      words: [
        ...name.split(" "),
        ...command.registeredArguments.map((one) => GIVEN[one.name()] ?? "x-1"),
        ...(OPTIONS[name] ?? []),
      ],
    }));
}

const ask = ({ words }: Walked, form: readonly string[] = []): Promise<CliResult> =>
  runCli([...words, ...form], {
    env: { PROPGATE_BASE_URL: service.baseUrl, PROPGATE_OPERATOR_TOKEN: "t".repeat(40) },
  });

describe("every command that reads as the operator", () => {
  test("every command of the operator prints no hidden character of any text of its answers", async () => {
    service.edit((answer) => answer);
    const wrong: unknown[] = [];
    for (const one of commands()) {
      for (const form of [[], ["--json"], ["--csv"]]) {
        const { code, stdout, stderr } = await ask(one, form);
        const isClean =
          HIDDEN_CHARACTER.exec(stdout + stderr) === null && code !== 70 && code !== 2;
        if (!isClean || service.takeCalls().length === 0)
          wrong.push([one.name, form, code, stderr]);
      }
    }
    expect(wrong).toEqual([]);
  });

  test.each([{}, null, [null], "x", { items: [null] }, 1].slice(0, scaledCount(6, 2)))(
    "no command of the operator calls an answer of another form a fault of its own: %j",
    async (answer) => {
      service.edit(() => answer);
      const wrong: unknown[] = [];
      for (const one of commands()) {
        const { code, stderr } = await ask(one);
        if (code === 70 || /\n {4}at /.test(stderr)) wrong.push([one.name, code, stderr]);
      }
      expect(wrong).toEqual([]);
    },
  );
});
