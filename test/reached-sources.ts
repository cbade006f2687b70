import { dirname, join, normalize } from "node:path";
import { filesBelow, importsOf, readText } from "./source-tree.ts";

/** Makes a function that returns the sources that a file imports, directly or through others, with the file itself. */
export function createReachedSources(): (path: string) => ReadonlySet<string> {
  const sources = new Set(["packages", "proofs", "test", "tools", "examples"].flatMap(filesBelow));
  const imported = new Map<string, readonly string[]>();
  const reached = new Map<string, ReadonlySet<string>>();
  const importedBy = (path: string): readonly string[] => {
    const known = imported.get(path);
    if (known !== undefined) return known;
    const targets = importsOf(readText(path)).flatMap((name) => targetOf(path, name));
    const found = targets.filter((target) => sources.has(target));
    imported.set(path, found);
    return found;
  };
  return (path) => {
    const known = reached.get(path);
    if (known !== undefined) return known;
    const found = new Set([path]);
    // The loop also visits what is added to the set meanwhile.
    for (const one of found) for (const target of importedBy(one)) found.add(target);
    reached.set(path, found);
    return found;
  };
}

/** The file that an import leads to. The name of a package leads to its `index.ts`; other modules lead to no file. */
function targetOf(path: string, name: string): readonly string[] {
  if (name.startsWith(".")) return [normalize(join(dirname(path), name))];
  const [, room] = /^@propgate\/([\w-]+)$/.exec(name) ?? [];
  return room === undefined ? [] : [`packages/${room}/src/index.ts`];
}
