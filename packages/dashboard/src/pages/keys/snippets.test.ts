import { execFile } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { authHeaderKeys, canonicalString, signatureHeader } from "@propgate/contract";
import { beforeAll, describe, expect, test } from "vitest";
import {
  HOW_TO_RUN,
  SNIPPETS,
  type SnippetFacts,
  type SnippetId,
  snippetText,
} from "./snippets.ts";

const run = promisify(execFile);
const SECRET = "propgate_sk_0123456789abcdefghijklmnopqrstuvwxyz-ABCDEF2g2KuK";

interface Arrived {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A server that answers as the service does, and records the requests. */
function createListener(arrived: Arrived[]): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      arrived.push({ method, target: url, headers, body: Buffer.concat(chunks).toString("utf8") });
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({ success: true, data: { accountId: "a-1" } }));
    });
  });
}

describe("a snippet runs unchanged", () => {
  const arrived: Arrived[] = [];
  const server = createListener(arrived);
  let folder = "";
  let facts: SnippetFacts;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "propgate-snippets-"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    facts = {
      keyId: "pk_0123456789abcdefghij",
      secret: SECRET,
      baseUrl: `http://127.0.0.1:${port}`,
      brand: "Acme-Desk",
    };
    for (const { id, fileName } of SNIPPETS) {
      await writeFile(join(folder, fileName), `${snippetText(id, facts)}\n`);
    }
    return async () => {
      server.close();
      await rm(folder, { recursive: true, force: true });
    };
  });

  test.each(["curl", "python", "typescript"] as const)("the snippet %s runs", async (id) => {
    const program = `${HOW_TO_RUN.environment}; ${HOW_TO_RUN[id]}`;
    const { stdout } = await run("sh", ["-c", program], { cwd: folder });
    expect(stdout).toContain("a-1");
    const request = arrived.at(-1);
    const keys = authHeaderKeys("Acme-Desk");
    const headers = request?.headers ?? {};
    expect(headers[keys.keyId]).toBe(facts.keyId);
    const canonical = canonicalString({
      method: request?.method ?? "",
      target: request?.target ?? "",
      timestamp: String(headers[keys.timestamp]),
      nonce: String(headers[keys.nonce]),
      bodySha256: createHash("sha256")
        .update(request?.body ?? "")
        .digest("hex"),
    });
    expect(canonical).toMatch(/^v1\nGET\n\/api\/v1\/trading\/account\n\d{13}\n[0-9a-f]{32}\n/);
    const mac = createHmac("sha256", SECRET).update(canonical).digest("base64");
    expect(headers[keys.signature]).toBe(signatureHeader(mac));
  });

  test("no two requests of snippets share a nonce", () => {
    const nonces = arrived.map(({ headers }) => headers[authHeaderKeys("Acme-Desk").nonce]);
    expect(new Set(nonces).size).toBe(3);
  });
});

describe("a snippet", () => {
  const facts = {
    keyId: "pk_1",
    secret: SECRET,
    baseUrl: "https://trade.example.com/",
    brand: "Acme",
  };

  test.each(SNIPPETS.map(({ id }): [SnippetId] => [id]))(
    "the snippet %s has all values filled in",
    (id) => {
      const text = snippetText(id, facts);
      expect(text).toContain("pk_1");
      expect(text).toContain("https://trade.example.com");
      expect(text).toContain("Acme");
      expect(text).not.toMatch(/\{\{|example\.com\/\//);
      expect(text.split("\n").every((line) => line.length <= 100)).toBe(true);
    },
  );

  test("only the environment file contains the secret", () => {
    const holders = SNIPPETS.filter(({ id }) => snippetText(id, facts).includes(SECRET));
    expect(holders.map(({ id }) => id)).toEqual(["environment"]);
  });
});
