#!/usr/bin/env node
/**
 * Starts the command: in a checkout from its sources, so that nothing has to be built, and from an
 * installed package as it was built, for Node does not strip types below node_modules.
 */
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

if (fileURLToPath(import.meta.url).includes("/node_modules/")) {
  await import("../dist/main.js");
} else {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, "@propgate/source"] }),
  });
  await import("../src/main.ts");
}
