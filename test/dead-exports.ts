import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import { filesBelow, isTestSupport, productSources, ROOMS, readText } from "./source-tree.ts";

/** An export of a product source that no counted source imports. The check decides which sources count. */
interface DeadExport extends ExportedName {
  readonly path: string;
}

/** A TypeScript file with the names that it exports and uses. */
export interface SourceFile {
  readonly path: string;
  readonly exports: readonly ExportedName[];
  /** The names that the file imports or re-exports, each with the file it comes from. `*` means all names. */
  readonly uses: readonly { readonly path: string; readonly name: string }[];
}

interface ExportedName {
  readonly name: string;
  readonly isType: boolean;
  /** Whether the file contains the name a second time, outside of its declaration. */
  readonly isUsedHere: boolean;
}

const FOLDERS = ["packages", "proofs", "test", "tools", "bench", "examples"] as const;
/** Matches the paths of sources that no other source has to import: entries of packages, programs and workers. */
const ENTRY = /\/src\/(index|main)\.tsx?$|-worker\.ts$/;

/**
 * The exports of product sources that no other file uses, as `path#name`. Types that their own file uses are left out,
 * because exported signatures may refer to them.
 */
export function deadExports(sources: readonly SourceFile[]): readonly string[] {
  return unimported(sources, () => true).map(nameOf);
}

/**
 * The exports of product sources that only tests run, as `path#name`: neither another product source nor their own file
 * uses them.
 */
export function codeForTestsOnly(sources: readonly SourceFile[]): readonly string[] {
  return unimported(sources, isProduct)
    .filter(({ isUsedHere }) => !isUsedHere)
    .map(nameOf);
}

function nameOf({ path, name }: DeadExport): string {
  return `${path}#${name}`;
}

/** Every TypeScript source of the repository, with its exports and imports. */
export function readSources(): readonly SourceFile[] {
  return FOLDERS.flatMap(filesBelow)
    .filter((path) => /\.tsx?$/.test(path))
    .map(sourceOf);
}

function unimported(
  sources: readonly SourceFile[],
  counts: (importer: string) => boolean,
): readonly DeadExport[] {
  const uses = sources
    .filter(({ path }) => counts(path) && !isInnerEntry(path))
    .flatMap((source) => source.uses);
  const used = new Set(uses.map(({ path, name }) => `${path}#${name}`));
  // An entry that re-exports names of another package is handled before the entry of that package, so that the names
  // which it passes on count as used there.
  const entries = sources.filter(({ path }) => isInnerEntry(path));
  const passesOn = ({ uses: own }: SourceFile): number =>
    Number(own.some(({ path }) => path.startsWith("@propgate/")));
  for (const entry of entries.toSorted((one, other) => passesOn(other) - passesOn(one))) {
    for (const { path, name } of entry.uses) {
      const module = `@propgate/${entry.path.split("/")[1]}`;
      const names = uses.filter((use) => use.path === module).map((use) => use.name);
      const passed = name === "*" ? names : names.filter((one) => one === name || one === "*");
      for (const one of passed) {
        const use = { path, name: one === "*" ? name : one };
        uses.push(use);
        used.add(`${use.path}#${use.name}`);
      }
    }
  }
  const product = new Set(productSources());
  return sources
    .filter(({ path }) => product.has(path) && !ENTRY.test(path) && !used.has(`${path}#*`))
    .flatMap(({ path, exports }) =>
      exports
        .filter(({ isType, isUsedHere }) => !(isType && isUsedHere))
        .filter(({ name }) => !used.has(`${path}#${name}`))
        .map((one) => ({ path, ...one })),
    );
}

/**
 * Whether a path is the entry of a package that only this repository imports. A name that it re-exports counts as used
 * only when another package imports it.
 */
function isInnerEntry(path: string): boolean {
  const entry = /^packages\/([a-z-]+)\/src\/index\.ts$/.exec(path)?.[1];
  return ["contract", "core", ...ROOMS].some((name) => name === entry);
}

function isProduct(path: string): boolean {
  return path.startsWith("packages/") ? !isTestSupport(path) : /^(tools|bench)\//.test(path);
}

function sourceOf(path: string): SourceFile {
  const text = readText(path);
  const kind = path.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind);
  const exports: ExportedName[] = [];
  const uses: { path: string; name: string }[] = [];
  for (const statement of file.statements) {
    exports.push(...exportsOf(statement, text));
    uses.push(...usesOf(statement, path));
  }
  // These are imports at run time with `await import(…)`, and imports within types. Each counts as a use of every name
  // of the file.
  for (const [, name = ""] of text.matchAll(/\bimport\(\s*"([^"]+)"\s*\)/g))
    uses.push({ path: fileOf(path, name), name: "*" });
  return { path, exports, uses };
}

function exportsOf(statement: ts.Statement, text: string): readonly ExportedName[] {
  if (!ts.canHaveModifiers(statement)) return [];
  const modifiers = ts.getModifiers(statement) ?? [];
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  return declaredNames(statement).map((name) => {
    const isUsedHere =
      (text.match(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, "g")) ?? []).length > 1;
    return { name, isType, isUsedHere };
  });
}

function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

function boundNames(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((one) => (ts.isOmittedExpression(one) ? [] : boundNames(one.name)));
}

function usesOf(statement: ts.Statement, path: string) {
  if (ts.isImportDeclaration(statement)) {
    const from = fileOf(path, moduleOf(statement.moduleSpecifier));
    return namesOf(statement.importClause?.namedBindings).map((name) => ({ path: from, name }));
  }
  if (ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined) {
    const from = fileOf(path, moduleOf(statement.moduleSpecifier));
    return namesOf(statement.exportClause).map((name) => ({ path: from, name }));
  }
  return [];
}

function moduleOf(specifier: ts.Expression): string {
  return ts.isStringLiteral(specifier) ? specifier.text : "";
}

function namesOf(bindings: ts.NamedImportBindings | ts.NamedExportBindings | undefined) {
  if (bindings === undefined || !("elements" in bindings)) return ["*"];
  return bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text);
}

/** The path of the imported file for a relative import, otherwise the name of the module. */
function fileOf(path: string, module: string): string {
  return module.startsWith(".") ? normalize(join(dirname(path), module)) : module;
}
