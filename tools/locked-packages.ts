/** A package of the lock file, as it is installed. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** The licence that the package declares, as an SPDX expression; `none named` without one. */
  readonly licence: string;
  /** True when the lock file marks the package as `dev` or `devOptional`: the service runs without it. */
  readonly isDevelopment: boolean;
  /** True for packages that only some machines install. */
  readonly isOptional: boolean;
  /** True when the package is installed below another package, usually because another version is at the top. */
  readonly isNested: boolean;
  /** Names of the packages that depend on it. */
  readonly neededBy: readonly string[];
}

export interface LockedPackages {
  /** Sorted by name, then by version. */
  readonly packages: readonly LockedPackage[];
  /** Names of the packages that this repository's `package.json` files need at run time, optional ones included. */
  readonly toRun: ReadonlySet<string>;
  /** Names of the packages that these `package.json` files need only to build and test. */
  readonly toBuild: ReadonlySet<string>;
}

interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const FOLDER = "node_modules/";

/** All packages that a package-lock.json installs, without this repository's own. */
export function parseLockedPackages(lock: string): LockedPackages {
  const { packages: all }: { packages: Readonly<Record<string, LockEntry>> } = JSON.parse(lock);
  const entries = Object.entries(all);
  const own = entries.filter(([path]) => !path.includes(FOLDER)).map(([, entry]) => entry);
  const installed = entries.filter(([path, entry]) => path.includes(FOLDER) && !entry.link);
  const packages = installed.map(([path, entry]): LockedPackage => {
    const name = nameOf(path);
    const askers = installed.filter(([, other]) => dependsOn(other, name));
    return {
      name,
      version: entry.version ?? "",
      licence: entry.license ?? "none named",
      isDevelopment: entry.dev === true || entry.devOptional === true,
      isOptional: entry.optional === true,
      isNested: path.indexOf(FOLDER) !== path.lastIndexOf(FOLDER),
      neededBy: [...new Set(askers.map(([asker]) => nameOf(asker)))].toSorted(),
    };
  });
  return {
    packages: packages.toSorted(byNameAndVersion),
    toRun: new Set(
      own.flatMap((entry) => [
        ...Object.keys(entry.dependencies ?? {}),
        ...Object.keys(entry.optionalDependencies ?? {}),
      ]),
    ),
    toBuild: new Set(own.flatMap((entry) => Object.keys(entry.devDependencies ?? {}))),
  };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);
}

function dependsOn({ dependencies, optionalDependencies }: LockEntry, name: string): boolean {
  return dependencies?.[name] !== undefined || optionalDependencies?.[name] !== undefined;
}

function byNameAndVersion(one: LockedPackage, other: LockedPackage): number {
  const [left, right] = [`${one.name} ${one.version}`, `${other.name} ${other.version}`];
  return left < right ? -1 : Number(left > right);
}
