import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Keeps the modules that Node compiles from here on, because compiling them takes most of a command's start. Plain
 * JavaScript, so that Node does not load its compiler of TypeScript for a command that is kept. NODE_COMPILE_CACHE and
 * NODE_DISABLE_COMPILE_CACHE win. Without a folder that can be written, Node compiles as usual and reports nothing.
 */
export async function keepCompiled(env) {
  const folder = cacheFolder(env);
  if (folder === null || !isMade(folder)) return;
  const { enableCompileCache } = await import("node:module");
  enableCompileCache(folder);
}

/** `$XDG_CACHE_HOME/propgate/compiled`, else in `~/.cache`; null without a home, or when the cache is off. */
function cacheFolder(env) {
  if (env.NODE_COMPILE_CACHE || env.NODE_DISABLE_COMPILE_CACHE) return null;
  if (env.PROPGATE_COMPILE_CACHE === "off") return null;
  const given = env.XDG_CACHE_HOME ?? "";
  if (given.startsWith("/")) return join(given, "propgate", "compiled");
  const home = env.HOME || env.USERPROFILE || "";
  return home === "" ? null : join(home, ".cache", "propgate", "compiled");
}

/** Makes each folder by itself: Node's recursive way does not end below a folder such as /proc. */
function isMade(folder) {
  if (existsSync(folder)) return true;
  if (!isMade(dirname(folder))) return false;
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // Another command may have made it in this moment.
    return existsSync(folder);
  }
  return true;
}
