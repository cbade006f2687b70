import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

/**
 * Prints the port of a bare server with the minimum cost of a signed read, to which the reads of the service are
 * compared. It checks the signature over the raw target and body, and answers a fixed body without a store.
 */
const secret = process.argv[2] ?? "";
const answer = process.argv[3] ?? "{}";

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const header = (name: string): string => String(request.headers[name] ?? "");
    const hash = createHash("sha256").update(Buffer.concat(chunks)).digest("hex");
    const canonical = [
      "v1",
      request.method,
      request.url,
      header("x-service-timestamp"),
      header("x-service-nonce"),
      hash,
    ].join("\n");
    const expected = createHmac("sha256", secret).update(canonical).digest();
    const given = Buffer.from(header("x-service-signature").slice(3), "base64");
    const right = given.length === expected.length && timingSafeEqual(given, expected);
    const body = right ? answer : '{"error":"Bad signature"}';
    response.writeHead(right ? 200 : 401, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" && address !== null ? address.port : 0}\n`);
});
