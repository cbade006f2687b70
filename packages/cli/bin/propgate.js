#!/usr/bin/env node
/**
 * Starts the command. In a checkout it runs the sources, so that no build is needed. In an installed package it runs
 * the built files, because Node does not strip types below node_modules. A Node that is too old starts the Node that
 * the project's packages bring. The files of this folder run on Node 20 and newer, so they import only what Node 20
 * has.
 */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { keepCompiled } from "./compile-cache.js";
import { findNewerNode, isNewEnough, NEEDED, runInstead } from "./newer-node.js";

const self = fileURLToPath(import.meta.url);

if (isNewEnough(process.version)) await start();
else handOver();

async function start() {
  await keepCompiled(process.env);
  if (self.includes("/node_modules/")) {
    await import("../dist/main.js");
    return;
  }
  if (!import.meta.resolve("@propgate/contract").endsWith(".ts")) await resolveSources();
  await import("../src/main.ts");
}

/**
 * Does the same as `node --conditions=@propgate/source`. It is called only without that flag, because such a hook makes
 * the loading of a whole service a third slower.
 */
async function resolveSources() {
  const { registerHooks } = await import("node:module");
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, "@propgate/source"] }),
  });
}

function handOver() {
  const node = findNewerNode(self);
  if (node !== null) {
    runInstead(node, [self, ...process.argv.slice(2)]);
    return;
  }
  process.stderr.write(
    `propgate: this is Node ${process.version}, and the command needs ${NEEDED.join(".")} or newer\n` +
      "  Run npm ci in the checkout, which brings one on Linux, or install it from nodejs.org.\n",
  );
  process.exitCode = 2;
}
