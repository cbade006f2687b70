import { createHash, createHmac } from "node:crypto";
import {
  type Diagnosis,
  type Digests,
  diagnose,
  type Finding,
  NOTHING_SEEN,
  readRequest,
  readSeen,
  type Sent,
} from "@propgate/sdk";
import { type Command, Option } from "commander";
import { EndWith, EXIT, usageError } from "../cli-error.ts";
import { printResult, wrapText } from "../output.ts";
import { refuseSecretAsId } from "../profile/secret-as-id.ts";
import { readBytes, readSecret, readTextFile } from "../secret.ts";
import type { Terminal } from "../terminal.ts";
import { parseTimeOption } from "../typed-time.ts";

interface VerifyOptions {
  readonly request?: string;
  readonly method?: string;
  readonly target?: string;
  readonly timestamp?: string;
  readonly nonce?: string;
  readonly signature?: string;
  readonly body?: string;
  readonly bodyFile?: string;
  readonly keyId?: string;
  readonly host?: string;
  readonly canonical?: string;
  readonly seen?: string;
  readonly secretFile?: string;
  /** False with `--no-secret`: the request is compared without the secret. */
  readonly secret: boolean;
  readonly now?: string;
  readonly json?: boolean;
}

/** `propgate verify`: finds the part of a request that makes its signature fail. */
export function addVerify(program: Command, terminal: Terminal): void {
  const command = program
    .command("verify")
    .summary("find the part of a request that makes its signature fail")
    .description(
      "Compare a request, as it was sent, with the request that the service expects, and find the part " +
        "that differs. Sends nothing. The secret comes from PROPGATE_SECRET, " +
        "--secret-file or standard input.",
    )
    .option("--request <path>", "a file with the raw request: line, headers, empty line, body")
    .option("--method <method>", "HTTP method as sent")
    .option("--target <target>", "path and query as sent")
    .option("--timestamp <text>", "timestamp header as sent")
    .option("--nonce <text>", "nonce header as sent")
    .option("--signature <text>", "signature header as sent")
    .addOption(new Option("--body <text>", "body as sent").conflicts("bodyFile"))
    .option("--body-file <path>", "a file with the body's exact bytes")
    .option("--key-id <id>", "key id header as sent")
    .option("--host <host>", "host and port as sent")
    .option("--canonical <path>", "a file with the canonical string that your client built")
    .option(
      "--seen <path>",
      "a file with the answer (curl -i), which has the request as the server received it",
    )
    .option("--secret-file <path>", "file with the secret; - is standard input")
    .option("--no-secret", "compare without the secret")
    .option("--now <time>", "check the timestamp against this time instead of now");
  command.action(async () => {
    const options = command.optsWithGlobals<VerifyOptions>();
    const sent = await readSent(options);
    refuseSecretAsId(sent.keyId ?? "", {
      where: options.keyId === undefined ? "the request" : "--key-id",
      secret: terminal.env.PROPGATE_SECRET ?? null,
      fix: "A secret that\nwas sent or shown is no longer safe: create a new key and revoke this one.",
    });
    const answer = options.seen === undefined ? null : await readText(options.seen);
    const seen = answer === null ? NOTHING_SEEN : readSeen(answer);
    const evidence = {
      sent,
      seen,
      secret: options.secret ? await readSecret(terminal, options.secretFile) : null,
      signedCanonical: options.canonical === undefined ? null : await readText(options.canonical),
      nowMs: readNow(options.now) ?? seen.timeMs ?? terminal.now(),
    };
    const diagnosis = withReusedNonce(await diagnose(evidence, NODE_DIGESTS), answer);
    printResult(terminal, options, { value: diagnosis, lines: diagnosisLines(diagnosis) });
    if (diagnosis.verdict !== "valid") throw new EndWith(EXIT.refused);
  });
}

/**
 * Adds the finding that the nonce was used before when the service's answer is a 409. Only the answer shows this: the
 * request itself is correct. @rule S5.R2
 */
function withReusedNonce(diagnosis: Diagnosis, answer: string | null): Diagnosis {
  if (answer === null || !/^(?:< )?HTTP\/[\d.]+ 409\b/m.test(answer)) return diagnosis;
  const known = diagnosis.verdict === "wrong" ? diagnosis.findings : [];
  return { ...diagnosis, verdict: "wrong", findings: [...known, REUSED_NONCE] };
}

const REUSED_NONCE: Finding = {
  part: "nonce",
  problem: "the service answered 409: this key has used this nonce before",
  fix: "Create a new nonce for every request. This request did not place an order, but the first one with this nonce has arrived. If it was an order, read its receipt before you send another: propgate settle NONCE.",
};

/** The hash functions of `node:crypto`. They are synchronous, which is faster for tens of thousands of attempts. */
const NODE_DIGESTS: Digests = {
  sha256: (bytes) => createHash("sha256").update(bytes).digest(),
  hmac: (key) => (message) => createHmac("sha256", key).update(message).digest(),
};

async function rawRequest(path: string): Promise<Sent> {
  const read = readRequest(await readBytes(path, "request"));
  if (!("firstLine" in read)) return read;
  throw usageError(
    `the request does not begin with a request line but with ${JSON.stringify(read.firstLine.slice(0, 60))}`,
    "It should begin with a line such as: GET /api/v1/trading/account HTTP/1.1",
  );
}

async function readSent(options: VerifyOptions): Promise<Sent> {
  const raw = options.request === undefined ? null : await rawRequest(options.request);
  return {
    method: requireOption("method", options.method ?? raw?.method),
    target: requireOption("target", options.target ?? raw?.target),
    timestamp: requireOption("timestamp", options.timestamp ?? raw?.timestamp),
    nonce: requireOption("nonce", options.nonce ?? raw?.nonce),
    signature: requireOption("signature", options.signature ?? raw?.signature),
    keyId: options.keyId ?? raw?.keyId ?? null,
    host: options.host ?? raw?.host ?? null,
    body: (await readBody(options)) ?? raw?.body ?? new Uint8Array(),
  };
}

async function readBody(options: VerifyOptions): Promise<Uint8Array | null> {
  if (options.bodyFile !== undefined) return readBytes(options.bodyFile, "body");
  return options.body === undefined ? null : new TextEncoder().encode(options.body);
}

function requireOption(name: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw usageError(`--${name} is missing`, `Give --${name}, or the whole request with --request.`);
}

function readNow(given: string | undefined): number | null {
  return given === undefined ? null : parseTimeOption(given, "--now");
}

async function readText(path: string): Promise<string> {
  return readTextFile(path, "text");
}

const HEADLINES: Readonly<Record<Diagnosis["verdict"], string>> = {
  valid: "The signature is valid for this request.",
  wrong: "The service rejects this request. Differences:",
  unexplained: "The signature does not match this request, and no known mistake explains it.",
};

function diagnosisLines(diagnosis: Diagnosis): readonly string[] {
  return [
    HEADLINES[diagnosis.verdict],
    ...diagnosis.findings.flatMap(findingLines),
    "",
    "canonical string of the request",
    ...diagnosis.canonical.split("\n").map((line) => `  ${line}`),
  ];
}

function findingLines(finding: Finding): readonly string[] {
  return [
    "",
    ...wrapText(`${finding.part}: ${finding.problem}`, 76).map((line) => `  ${line}`),
    ...wrapText(finding.fix, 74).map((line) => `    ${line}`),
  ];
}
