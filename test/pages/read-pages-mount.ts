import type { FastifyInstance } from "fastify";
import {
  addPageFiles,
  builtPagesFolder,
  readPageFiles,
} from "../../packages/server/src/calls/pages/page-files.ts";

/** Reads the built pages. Resolves with a function that adds them to a server. */
export async function readPagesMount(): Promise<(on: { readonly app: FastifyInstance }) => void> {
  const files = await readPageFiles(builtPagesFolder());
  if (files === null) throw new Error("the pages are not built: npm run pages");
  return ({ app }) => addPageFiles(app, files);
}
