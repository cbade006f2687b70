import { expect, test } from "vitest";
import { EXIT } from "./cli-error.ts";
import { buildProgram, loadCommands, runCommandLine } from "./program.ts";
import { createPersonTerminal } from "./testing/person-terminal.ts";

test("the help names every exit code", async () => {
  const person = createPersonTerminal({ env: {} });
  buildProgram(person.terminal, await loadCommands()).outputHelp();
  const [, listed = ""] = /^Exit codes: ([\s\S]*)$/m.exec(person.said().out) ?? [];
  const codes = listed.split("·").map((entry) => Number.parseInt(entry, 10));
  expect(codes).toEqual(Object.values(EXIT));
});

test.each([
  "nonsense --help",
  "events nonsense --help",
  "operator accounts nonsense --help",
  "events nonsense",
])(
  "the unknown command of `propgate %s` is a usage error, and no help of another",
  async (given) => {
    const person = createPersonTerminal({ env: {} });
    expect(await runCommandLine(given.split(" "), person.terminal)).toBe(EXIT.usage);
    const { out, error } = person.said();
    expect([out, error]).toEqual(["", expect.stringContaining("unknown command 'nonsense'")]);
  },
);

test.each([
  ["operator accounts list --status active --status closed", "--status <status>"],
  ["order edit 1234 --stop 48000 --no-stop", "--no-stop"],
  ["serve --prices kraken --prices coinbase", "--prices <sources>"],
])("`propgate %s` is a usage error, because an option is given twice", async (given, flags) => {
  const person = createPersonTerminal({ env: {} });
  expect(await runCommandLine(given.split(" "), person.terminal)).toBe(EXIT.usage);
  const words = `option '${flags}' is given twice`;
  expect(person.said()).toEqual({ out: "", error: expect.stringContaining(words) });
});
