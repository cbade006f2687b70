import { expect, test } from "vitest";
import { buildProgram, loadCommands } from "../program.ts";
import { createPersonTerminal } from "../testing/person-terminal.ts";
import { asTyped, COMMAND_NAMES, FROM_CHECKOUT, INSTALLED } from "./invocation.ts";

test("every command of the program is known by its name", async () => {
  const program = buildProgram(createPersonTerminal({ env: {} }).terminal, await loadCommands());
  const names = program.commands.map((command) => command.name());
  expect(names.toSorted()).toEqual([...COMMAND_NAMES].toSorted());
});

test("a command in a text is named as its reader has to type it", () => {
  const text = "Run propgate doctor, then propgate order cancel. propgate: a propgate service";
  expect(asTyped(text, INSTALLED)).toBe(text);
  expect(asTyped(text, FROM_CHECKOUT)).toBe(
    "Run npm run propgate -- doctor, then npm run propgate -- order cancel. propgate: a propgate service",
  );
  const typed = "npm run propgate -- doctor";
  expect(asTyped(typed, FROM_CHECKOUT)).toBe(typed);
});
