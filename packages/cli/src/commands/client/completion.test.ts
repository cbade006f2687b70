import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { runCli } from "../../testing/run-cli.ts";

/** The words that bash offers in place of the last word of the line. */
function offered(script: string, line: readonly string[]): readonly string[] {
  const words = line.map((word) => `'${word}'`).join(" ");
  const ask = `COMP_WORDS=(${words}); COMP_CWORD=${line.length - 1}; _propgate; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", `${script}\n${ask}`], { encoding: "utf8" })
    .trim()
    .split("\n");
}

describe("propgate completion", () => {
  test("bash completes commands, subcommands, options and choices", async () => {
    const { code, stdout } = await runCli(["completion", "bash"]);
    expect(code).toBe(0);
    expect(offered(stdout, ["propgate", "do"])).toEqual(["doctor"]);
    expect(offered(stdout, ["propgate", "order", "st"])).toEqual(["stop-limit"]);
    expect(offered(stdout, ["propgate", "order", "market", "BTCUSD", "--q"])).toEqual([
      "--quantity",
    ]);
    expect(offered(stdout, ["propgate", "--json", "profile", "re"])).toEqual(["remove"]);
    expect(offered(stdout, ["propgate", "se"])).toEqual(["serve", "settle"]);
    expect(offered(stdout, ["propgate", "settle", "--set"])).toEqual(["--settle-timeout"]);
    expect(offered(stdout, ["propgate", "completion", "f"])).toEqual(["fish"]);
    expect(offered(stdout, ["propgate", "account", "--no"])).toContain("--no-color");
  });

  test("zsh reads the same, and fish has a line for each word", async () => {
    expect((await runCli(["completion", "zsh"])).stdout).toMatch(/^autoload -U \+X bashcompinit/);
    const { stdout } = await runCli(["completion", "fish"]);
    expect(stdout).toContain("-n '__propgate_at propgate order' -a market -d ");
    expect(stdout).toContain("-n '__propgate_at propgate order market' -l quantity -d ");
  });

  test("propgate completion ends with 2 for another shell, and names the three that there are", async () => {
    const { code, stderr } = await runCli(["completion", "tcsh"]);
    expect(code).toBe(2);
    expect(stderr).toContain("bash, zsh, fish");
  });
});
