import module from "node:module";

/**
 * Every process of a test run loads this first. It replaces the module of PGlite by `pglite-with-image.ts`. It is plain
 * JavaScript, because tests also start a Node that is too old for TypeScript.
 */
const PGLITE = new URL("../../node_modules/@electric-sql/pglite/dist/index.js", import.meta.url)
  .href;
const WITH_IMAGE = new URL("./pglite-with-image.ts", import.meta.url).href;

module.registerHooks?.({
  resolve(specifier, context, nextResolve) {
    const found = nextResolve(specifier, context);
    if (found.url !== PGLITE || context.parentURL === WITH_IMAGE) return found;
    return { ...found, url: WITH_IMAGE, format: "module-typescript" };
  },
});
