import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Stores the modules that Node compiles from here on in a cache, because compiling them takes most of a command's
 * start. This file is plain JavaScript, so that Node does not load its TypeScript compiler for a cached command.
 * NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE take precedence. Without a writable folder, Node compiles as usual
 * and reports no error.
 */
export async function keepCompiled(env) {
  const folder = cacheFolder(env);
  if (folder === null || !isMade(folder)) return;
  const { enableCompileCache } = await import("node:module");
  enableCompileCache(folder);
}

/**
 * The folder of the cache: `$XDG_CACHE_HOME/propgate/compiled`, or without that variable `~/.cache/propgate/compiled`.
 * Null when there is no home folder, or when the cache is switched off.
 */
function cacheFolder(env) {
  if (env.NODE_COMPILE_CACHE || env.NODE_DISABLE_COMPILE_CACHE) return null;
  if (env.PROPGATE_COMPILE_CACHE === "off") return null;
  const given = env.XDG_CACHE_HOME ?? "";
  if (given.startsWith("/")) return join(given, "propgate", "compiled");
  const home = env.HOME || env.USERPROFILE || "";
  return home === "" ? null : join(home, ".cache", "propgate", "compiled");
}

/**
 * True when the folder exists or could be created. Creates the folders of the path one by one, because the recursive
 * option of Node's `mkdirSync` does not end below a folder such as /proc.
 */
function isMade(folder) {
  if (existsSync(folder)) return true;
  if (!isMade(dirname(folder))) return false;
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // Another command may have created the folder at the same time.
    return existsSync(folder);
  }
  return true;
}
