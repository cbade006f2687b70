import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import fastify, { type FastifyInstance } from "fastify";
import { beforeAll, describe, expect, test } from "vitest";
import {
  accountPages,
  CONSOLE_PAGES,
  GENERAL_PAGES,
} from "../../../../dashboard/src/frame/destinations.ts";
import { addPageFiles, createMissingPageAnswer, readPageFiles } from "./page-files.ts";

const DOCUMENT = `<!doctype html><title>pages</title>${" ".repeat(400)}`;
/** This differs from the file's content, so that the test sees where an answer comes from. */
const BUILT = "compressed by the build";
const SCRIPT = `"use strict";${"// pages\n".repeat(200)}`;

let app: FastifyInstance;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "propgate-test-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), DOCUMENT);
  await writeFile(join(folder, "assets", "index-1a2b.js"), SCRIPT);
  await writeFile(join(folder, "assets", "built-1a2b.js"), SCRIPT);
  await writeFile(join(folder, "assets", "built-1a2b.js.br"), brotliCompressSync(BUILT));
  await writeFile(join(folder, "assets", "built-1a2b.js.gz"), gzipSync(BUILT));
  await mkdir(join(folder, "docs", "guides"), { recursive: true });
  await writeFile(join(folder, "docs", "index.html"), "documentation");
  await writeFile(join(folder, "docs", "guides", "start.html"), "how to start");
  await writeFile(join(folder, ".built-from"), "secret of the build");
  const files = await readPageFiles(folder);
  if (files === null) throw new Error("no pages");
  app = fastify();
  addPageFiles(app, files);
  const answerUnknown = createMissingPageAnswer(files);
  app.setNotFoundHandler((request, reply) => {
    if (!answerUnknown(request, reply)) reply.code(404).send({ error: "Not found" });
  });
  return async () => {
    await app.close();
    await rm(folder, { recursive: true });
  };
});

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: "GET", url, headers });

describe("the files of the pages", () => {
  test.each(["/", "/sign-in", "/link", "/docs/api", "/console/audit", "/a/some-account/keys"])(
    "%s is drawn from the one document",
    async (path) => {
      const reply = await get(path);
      expect([reply.statusCode, reply.body]).toEqual([200, DOCUMENT]);
      expect(reply.headers["content-type"]).toBe("text/html; charset=utf-8");
    },
  );

  test.each([
    ["/docs", "documentation"],
    ["/docs/guides/start", "how to start"],
  ])("%s is a document of its own", async (path, content) => {
    const reply = await get(path);
    expect([reply.statusCode, reply.body]).toEqual([200, content]);
    expect(reply.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(reply.headers["cache-control"]).toBe("no-cache");
  });

  test.each([
    "/docs/nowhere",
    "/docs/guides/start.html",
    "/nowhere",
    "/assets/other.js",
    "/.built-from",
    "/a",
    "/assets/../index.html.bak",
  ])("%s leads nowhere", async (path) => {
    expect((await get(path)).statusCode).toBe(404);
  });

  test.each(["/nowhere", "/docs/nowhere", "/a/some-account/nowhere", "/console/nowhere"])(
    "%s is drawn from the one document for a browser, with status 404",
    async (path) => {
      const reply = await get(path, { accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
      expect([reply.statusCode, reply.body]).toEqual([404, DOCUMENT]);
      const again = await get(path, {
        accept: "text/html",
        "if-none-match": String(reply.headers.etag),
      });
      expect(again.statusCode).toBe(404);
    },
  );

  test.each([
    ["/nowhere", "*/*"],
    ["/nowhere", "application/json"],
    ["/api/v1/nowhere", "text/html"],
    ["/dashboard/v1/nowhere", "text/html"],
    ["/operator/v1/nowhere", "text/html"],
    ["/assets/other.js", "text/html"],
  ])("%s for a client that accepts %s is not drawn", async (path, accept) => {
    const reply = await get(path, { accept });
    expect([reply.statusCode, reply.json()]).toEqual([404, { error: "Not found" }]);
  });

  test("every page of an account and of the console is drawn with status 200", async () => {
    const pages = [...accountPages("some-account"), ...CONSOLE_PAGES, ...GENERAL_PAGES];
    for (const { path, isDocument } of pages) {
      if (isDocument !== true) expect([path, (await get(path)).statusCode]).toEqual([path, 200]);
    }
  });

  test("the policy lets nothing in that is not the service's own, and nothing inline", async () => {
    const policy = String((await get("/")).headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  test("assets are kept for ever, the document is asked for again", async () => {
    expect((await get("/assets/index-1a2b.js")).headers["cache-control"]).toContain("immutable");
    const document = await get("/");
    expect(document.headers["cache-control"]).toBe("no-cache");
    const again = await get("/", { "if-none-match": String(document.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });

  test("a browser gets the smallest form that it takes", async () => {
    const brotli = await get("/assets/index-1a2b.js", { "accept-encoding": "gzip, br;q=1.0" });
    expect(brotli.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(SCRIPT);
    const zipped = await get("/assets/index-1a2b.js", { "accept-encoding": "gzip, br;q=0" });
    expect(zipped.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(SCRIPT);
    const plain = await get("/assets/index-1a2b.js");
    expect([plain.headers["content-encoding"], plain.body]).toEqual([undefined, SCRIPT]);
  });

  test("what the build has compressed is sent as it is", async () => {
    const brotli = await get("/assets/built-1a2b.js", { "accept-encoding": "br" });
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(BUILT);
    const zipped = await get("/assets/built-1a2b.js", { "accept-encoding": "gzip" });
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(BUILT);
    expect((await get("/assets/built-1a2b.js.br")).statusCode).toBe(404);
  });

  test("HEAD tells the same without a body", async () => {
    const reply = await app.inject({ method: "HEAD", url: "/" });
    expect([reply.statusCode, reply.body]).toEqual([200, ""]);
  });

  test("what has not been built is no pages", async () => {
    expect(await readPageFiles("/nowhere/at/all")).toBeNull();
  });
});
