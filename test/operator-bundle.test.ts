/** Tests the operator's client, bundled for a browser: its size, and the APIs that it needs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import type { Rollup } from "vite";
import { beforeAll, describe, expect, test } from "vitest";
import { buildBundle, modulesInBundle, NODE_ONLY_CODE } from "./build-bundle.ts";
import { ROOT } from "./source-tree.ts";

/** The maximum sizes in kilobytes. The table of calls is the largest part, and grows with each call. */
const MINIFIED_MAX = 24;
const GZIPPED_MAX = 8;
const PROGRAM = `
  import { createOperator } from "@propgate/operator";
  export const open = (settings, body) => createOperator(settings).accounts.open(body);
`;

const kilobytes = ({ length }: { readonly length: number }): number => Math.ceil(length / 1024);

let program: Rollup.OutputChunk;

beforeAll(async () => {
  program = await buildBundle(PROGRAM);
});

describe("createOperator, bundled for a browser", () => {
  test("the bundled client has the size that its README says, within its limits", () => {
    const minified = kilobytes(program.code);
    const gzipped = kilobytes(gzipSync(program.code));
    const readme = readFileSync(join(ROOT, "packages/operator/README.md"), "utf8");
    expect(readme).toContain(`${minified} KB minified and ${gzipped} KB gzipped`);
    expect(minified).toBeLessThanOrEqual(MINIFIED_MAX);
    expect(gzipped).toBeLessThanOrEqual(GZIPPED_MAX);
  });

  test("the bundled client leaves out schemas, documents and the signed client", () => {
    const left = modulesInBundle(program);
    const unwanted = /zod|openapi|examples|dashboard|resources\/|call-notes|shapes|signing/;
    expect(left.filter((path) => unwanted.test(path))).toEqual([]);
    expect(left).toContain("operator/src/send.ts");
  });

  test("the bundled client needs fetch and WebCrypto and nothing of Node", async () => {
    expect(program.code).not.toMatch(NODE_ONLY_CODE);
    const sent: { readonly url: string; readonly init: RequestInit }[] = [];
    const answers = async (url: URL, init: RequestInit): Promise<Response> => {
      sent.push({ url: url.href, init });
      return Response.json({ success: true, data: { accountId: "a1" } });
    };
    const settings = { baseUrl: "https://firm.test", token: "t", fetch: answers };
    const web = { AbortController, AbortSignal, crypto, performance, TextEncoder, btoa };
    const timers = { clearTimeout, setTimeout };
    const url = { URL, URLSearchParams, Uint8Array };
    const script = `${program.code}; program.open(settings, { size: 100000 })`;
    const account = await runInNewContext(script, { ...web, ...timers, ...url, settings });
    expect(account).toMatchObject({ accountId: "a1" });
    expect(sent).toMatchObject([
      {
        url: "https://firm.test/operator/v1/accounts",
        init: { method: "POST", body: '{"size":100000}' },
      },
    ]);
  });
});
