import { setFlagsFromString } from "node:v8";

/**
 * For processes that a test starts and soon ends. The optimizing compiler of WebAssembly takes two seconds and 600 MB
 * for one function of PGlite.
 */
for (const flag of ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) {
  setFlagsFromString(flag);
}
