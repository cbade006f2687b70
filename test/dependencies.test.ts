import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { parseLockedPackages } from "../tools/locked-packages.ts";
import { productSources, ROOMS, ROOT, readText } from "./source-tree.ts";

/** Licences that packages may have at run time. They require no more than that their text is included. */
const RUNTIME_LICENCES = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "Unlicense",
]);
/**
 * Licences that packages for building and testing may have. A package that becomes part of the pages is passed on
 * together with its licence.
 */
const BUILD_LICENCES = new Set([
  ...RUNTIME_LICENCES,
  "BlueOak-1.0.0",
  "CC0-1.0",
  "CC-BY-4.0",
  "MPL-2.0",
  "OFL-1.1",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
  "Zlib",
]);

const { packages } = parseLockedPackages(readText("package-lock.json"));

/** Whether a licence expression is allowed. `A OR B` needs one allowed licence, `A AND B` needs both. */
function isAllowed(licence: string, allowed: ReadonlySet<string>): boolean {
  const plain = licence.replace(/^\((.*)\)$/, "$1");
  return plain
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((one) => allowed.has(one)));
}

describe("third-party packages", () => {
  test("the lock file has packages to check", () => {
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter(({ isDevelopment }) => !isDevelopment).length).toBeGreaterThan(20);
  });

  test("every package has an allowed licence", () => {
    const wrong = packages
      .filter(
        (one) => !isAllowed(one.licence, one.isDevelopment ? BUILD_LICENCES : RUNTIME_LICENCES),
      )
      .map(({ name, version, licence }) => `${name} ${version}: ${licence}`);
    expect(wrong).toEqual([]);
  });

  test.each([
    ["MIT", true],
    ["MIT OR GPL-3.0-only", true],
    ["(MIT AND Zlib)", false],
    ["GPL-3.0-only", false],
    ["none named", false],
    ["SEE LICENSE IN x", false],
  ])("the licence %s at run time is allowed: %s", (licence, isFine) => {
    expect(isAllowed(licence, RUNTIME_LICENCES)).toBe(isFine);
  });

  test("no package runs a script at its installation", () => {
    const shown = execFileSync("npm", ["config", "get", "ignore-scripts"], {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect(shown.trim()).toBe("true");
    expect(readText(".npmrc")).toMatch(/^ignore-scripts=true$/m);
  });

  test("every package imports each of its dependencies", () => {
    const idle = ["contract", "core", ...ROOMS, "sdk", "operator", "cli", "ccxt"].flatMap(
      (name) => {
        const { dependencies = {} }: { dependencies?: Readonly<Record<string, string>> } =
          JSON.parse(readText(`packages/${name}/package.json`));
        const sources = productSources().filter((path) => path.startsWith(`packages/${name}/`));
        const texts = sources.map(readText).join("\n");
        return Object.keys(dependencies).filter((one) => !texts.includes(`"${one}`));
      },
    );
    expect(idle).toEqual([]);
  });

  test("the bill of materials names every installed package", () => {
    const { scripts }: { scripts: { readonly sbom: string } } = JSON.parse(
      readText("package.json"),
    );
    const [command = "", ...given] = scripts.sbom.split(" ");
    const written = execFileSync(command, given, {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const { bomFormat, components }: { bomFormat: string; components: readonly Component[] } =
      JSON.parse(written);
    expect(bomFormat).toBe("CycloneDX");
    const named = new Set(components.map(({ group, name }) => (group ? `${group}/${name}` : name)));
    const missing = packages.filter(
      ({ isDevelopment, isOptional, name }) => !isDevelopment && !isOptional && !named.has(name),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

interface Component {
  readonly name: string;
  readonly group?: string;
}
