import { expect, test } from "vitest";
import { buildProgram, loadCommands } from "../program.ts";
import { createPersonTerminal } from "../testing/person-terminal.ts";
import {
  CHECKOUT_INVOCATION,
  COMMAND_NAMES,
  INSTALLED_INVOCATION,
  withInvocation,
} from "./invocation.ts";

test("every command of the program is known by its name", async () => {
  const program = buildProgram(createPersonTerminal({ env: {} }).terminal, await loadCommands());
  const names = program.commands.map((command) => command.name());
  expect(names.toSorted()).toEqual([...COMMAND_NAMES].toSorted());
});

test("a command in a text is named as its reader has to type it", () => {
  const text = "Run propgate doctor, then propgate order cancel. propgate: a propgate service";
  expect(withInvocation(text, INSTALLED_INVOCATION)).toBe(text);
  expect(withInvocation(text, CHECKOUT_INVOCATION)).toBe(
    "Run npm run propgate -- doctor, then npm run propgate -- order cancel. propgate: a propgate service",
  );
  const typed = "npm run propgate -- doctor";
  expect(withInvocation(typed, CHECKOUT_INVOCATION)).toBe(typed);
});
