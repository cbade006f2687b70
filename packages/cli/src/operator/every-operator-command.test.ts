import type { Command } from "commander";
import { beforeAll, describe, expect, test } from "vitest";
import { scaled } from "../../../../test/environment/depth.ts";
import { buildProgram, loadCommands } from "../program.ts";
import { type MadeService, openMadeService } from "../testing/made-service.ts";
import { personTerminal } from "../testing/person-terminal.ts";
import { type CliResult, runCli } from "../testing/run-cli.ts";

/** A title, a screen that is cleared, a colour, a control of C1, a right-to-left mark, a tag, a line separator. */
const HOSTILE = "x\u001b]0;owned\u0007\u001b[2J\u001b[8m\u009b31m\u202e\u2066\u{E0041}\u2028";
const HIDDEN = /(?!\r\n|[\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Values of arguments, by their names. */
const GIVEN: Readonly<Record<string, string>> = {
  "account-id": "01890a5d-ac96-774b-bcce-b302099a8057",
  // The name of the person whom the service lists.
  name: HOSTILE,
  pair: "BTCUSD",
};

/** Values of the options without which a command does not run. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = { "operator search": ["--q", "x"] };

let service: MadeService;
let program: Command;

beforeAll(async () => {
  service = await openMadeService(HOSTILE);
  program = buildProgram(personTerminal({ env: {} }).terminal, await loadCommands(["operator"]));
  return () => service.close();
});

interface Walked {
  readonly name: string;
  readonly words: readonly string[];
}

/** Every command below `operator` that needs neither a file nor an option: those that read, and some that write. */
function commands(): readonly Walked[] {
  return leavesOf(program, [])
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

function leavesOf(
  group: Command,
  path: readonly string[],
): readonly { readonly name: string; readonly command: Command }[] {
  return group.commands.flatMap((command) => {
    const words = [...path, command.name()];
    const own = command.commands.length === 0 ? [{ name: words.join(" "), command }] : [];
    return [...own, ...leavesOf(command, words)];
  });
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
        const isClean = HIDDEN.exec(stdout + stderr) === null && code !== 70 && code !== 2;
        if (!isClean || service.taken().length === 0) wrong.push([one.name, form, code, stderr]);
      }
    }
    expect(wrong).toEqual([]);
  });

  test.each([{}, null, [null], "x", { items: [null] }, 1].slice(0, scaled(6, 2)))(
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
