import { createHash, createHmac } from "node:crypto";
import { type IncomingHttpHeaders, type RequestOptions, request } from "node:http";

/** A key with which a test signs requests. */
export interface Signer {
  readonly keyId: string;
  readonly secret: string;
}

export interface RequestToSign {
  readonly method: string;
  readonly target: string;
  readonly body: string | Buffer;
  readonly timestamp: string;
  readonly nonce: string;
}

/** The four headers of a signature, computed from the specification without the service's code. @rule S5.canonical */
export function signedHeaders(signer: Signer, signed: RequestToSign): Record<string, string> {
  const { method, target, body, timestamp, nonce } = signed;
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const canonical = `v1\n${method}\n${target}\n${timestamp}\n${nonce}\n${bodyHash}`;
  const signature = createHmac("sha256", signer.secret).update(canonical).digest("base64");
  return {
    "X-Service-Key-Id": signer.keyId,
    "X-Service-Timestamp": timestamp,
    "X-Service-Nonce": nonce,
    "X-Service-Signature": `v1=${signature}`,
  };
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body parsed as JSON. */
  json(): unknown;
}

/**
 * Sends one request over a real socket, with its target and headers exactly as given. For an event stream it returns
 * the bytes that were sent until the service noticed that the client left.
 */
export function sendRequest(options: RequestOptions, body: string | Buffer = ""): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: () => JSON.parse(text),
        });
      });
      response.on("error", reject);
      if (response.headers["content-type"]?.startsWith("text/event-stream") === true) {
        response.socket.end();
      }
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
