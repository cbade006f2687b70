import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT, readText } from "../source-tree.ts";

const CONTAINER = readText("deploy/Containerfile");
const UNIT = readText("deploy/propgate.service");
const COMMAND = "--conditions=@propgate/source packages/cli/src/main.ts serve";

/** The directives of a file: its lines without comments, with continued lines joined. */
function directives(text: string): readonly string[] {
  return text
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

describe("deploy/", () => {
  test("every file that the container copies exists", () => {
    const copies = directives(CONTAINER).filter((line) => line.startsWith("COPY "));
    const sources = copies.flatMap((line) =>
      line
        .split(/\s+/)
        .slice(1, -1)
        .filter((word) => !word.startsWith("--") && !/^\/(image|empty|usr)\b/.test(word)),
    );
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test("the container copies the description of each package before it installs", () => {
    const { dependencies = {} } = JSON.parse(readText("packages/cli/package.json")) as {
      readonly dependencies?: Readonly<Record<string, string>>;
    };
    const own = Object.keys(dependencies).filter((name) => name.startsWith("@propgate/"));
    const names = [
      ...own.map((name) => name.replace("@propgate/", "")),
      "core",
      "dashboard",
      "ccxt",
      "stand-in",
    ];
    const before = CONTAINER.slice(0, CONTAINER.indexOf("RUN npm ci"));
    expect(names.filter((name) => !before.includes(`packages/${name}/package.json`))).toEqual([]);
  });

  test("container and unit start the service as npm start does, without privileges", () => {
    const { scripts } = JSON.parse(readText("package.json")) as {
      readonly scripts: { readonly start: string };
    };
    expect(scripts.start).toContain(
      "exec node --conditions=@propgate/source packages/cli/bin/propgate.js serve",
    );
    expect(UNIT).toContain(`/bin/node ${COMMAND}\n`);
    const entry = directives(CONTAINER).find((line) => line.startsWith("ENTRYPOINT "));
    const words = JSON.parse(entry?.replace("ENTRYPOINT ", "") ?? "[]") as readonly string[];
    expect(words.join(" ")).toBe(`node ${COMMAND}`);
    expect(directives(CONTAINER)).toContain("USER 65532:65532");
    for (const line of ["User=propgate", "NoNewPrivileges=yes", "ProtectSystem=strict"]) {
      expect(directives(UNIT)).toContain(line);
    }
  });

  test("the unit lets V8 compile, and names each setting of systemd once", () => {
    const names = directives(UNIT).flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []);
    expect(names).not.toContain("MemoryDenyWriteExecute");
    const repeated = names.filter((name, index) => names.indexOf(name) !== index);
    expect(new Set(repeated)).toEqual(new Set(["SystemCallFilter"]));
  });

  test.each(["deploy/nginx.conf", "deploy/Caddyfile"])(
    "%s has a reason above its settings",
    (path) => {
      const lines = readText(path).split("\n");
      const settings = lines.filter((line) => /^\s*[a-z_]/.test(line));
      const reasons = lines.filter((line) => /^\s*# /.test(line));
      expect(settings.length).toBeGreaterThan(15);
      expect(reasons.length).toBeGreaterThan(15);
    },
  );
});
