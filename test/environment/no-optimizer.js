import { setFlagsFromString } from "node:v8";

/**
 * Settings for processes that a test starts and soon ends: the optimizing compiler of WebAssembly takes two seconds and
 * 600 MB for a single function of PGlite.
 */
for (const flag of ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) {
  setFlagsFromString(flag);
}
