import { expect, test } from "vitest";
import { EXIT } from "./cli-error.ts";
import { buildProgram, loadCommands } from "./program.ts";
import { personTerminal } from "./testing/person-terminal.ts";

test("the help names every exit code", async () => {
  const person = personTerminal({ env: {} });
  buildProgram(person.terminal, await loadCommands()).outputHelp();
  const [, listed = ""] = /^Exit codes: ([\s\S]*)$/m.exec(person.said().out) ?? [];
  const codes = listed.split("·").map((entry) => Number.parseInt(entry, 10));
  expect(codes).toEqual(Object.values(EXIT));
});
