import { DEFAULT_BRAND } from "@propgate/contract";
import { randomNonce, type Signed, sign } from "@propgate/sdk";
import { type Command, Option } from "commander";
import { DEFAULT_BASE_URL } from "../base-url.ts";
import { curlCommand, type SignedRequest } from "../curl-command.ts";
import { printResult } from "../output.ts";
import { refuseSecretAsId } from "../profile/secret-as-id.ts";
import { readBytes, readSecret } from "../secret.ts";
import type { Terminal } from "../terminal.ts";

interface SignOptions {
  readonly body?: string;
  readonly bodyFile?: string;
  readonly keyId?: string;
  readonly secretFile?: string;
  readonly timestamp?: string;
  readonly nonce?: string;
  readonly brand?: string;
  readonly curl?: boolean;
  readonly baseUrl?: string;
  readonly json?: boolean;
}

/** `propgate sign`: prints the parts of a correctly signed request. */
export function addSign(program: Command, terminal: Terminal): void {
  const command = program
    .command("sign")
    .summary("sign a request: print its canonical string and headers")
    .description(
      "Sign a request and print the canonical string, the body's SHA-256 and the four headers. " +
        "The secret comes from PROPGATE_SECRET, --secret-file or standard input.",
    )
    .argument("<method>", "HTTP method")
    .argument("<target>", "path and query, exactly as they will be sent")
    .addOption(new Option("--body <text>", "the body").conflicts("bodyFile"))
    .option("--body-file <path>", "a file with the body's exact bytes")
    .option("--key-id <id>", "key id (PROPGATE_KEY_ID)")
    .option("--secret-file <path>", "file with the secret; - is standard input")
    .option("--timestamp <ms>", "sign this timestamp instead of now")
    .option("--nonce <text>", "sign this nonce instead of a random one")
    .option("--brand <word>", "word in the header names (PROPGATE_BRAND, or Service)")
    .option("--curl", "print a curl command for `| sh`; the rest goes to standard error")
    .option("--base-url <url>", "with --curl: where the service is (PROPGATE_BASE_URL)");
  command.action(async () => {
    const options = command.optsWithGlobals<SignOptions>();
    const [method = "", target = ""] = command.args;
    const signed = await signRequest({ method: method.toUpperCase(), target, options, terminal });
    const curl = options.curl === true ? writeCurl(signed, { options, terminal }) : null;
    const explanation = signedLines(signed.signed);
    if (curl !== null && options.json !== true) terminal.error(`${explanation.join("\n")}\n\n`);
    printResult(terminal, options, {
      value: { ...signed.signed, curl },
      lines: curl === null ? explanation : [curl],
    });
  });
}

interface SignedRequestLine {
  readonly method: string;
  readonly target: string;
  readonly signed: Signed;
}

async function signRequest(what: {
  readonly method: string;
  readonly target: string;
  readonly options: SignOptions;
  readonly terminal: Terminal;
}): Promise<SignedRequestLine> {
  const { method, target, options, terminal } = what;
  const keyId = options.keyId ?? terminal.env.PROPGATE_KEY_ID ?? "KEY_ID";
  refuseSecretAsId(keyId, {
    where: options.keyId === undefined ? "PROPGATE_KEY_ID" : "--key-id",
    secret: terminal.env.PROPGATE_SECRET ?? null,
  });
  const signed = await sign({
    method,
    target,
    body: await readBody(options),
    keyId,
    secret: await readSecret(terminal, options.secretFile),
    timestamp: options.timestamp ?? terminal.now(),
    nonce: options.nonce ?? randomNonce(),
    brand: options.brand ?? terminal.env.PROPGATE_BRAND ?? DEFAULT_BRAND,
  });
  return { method, target, signed };
}

function writeCurl(
  { method, target, signed }: SignedRequestLine,
  { options, terminal }: { readonly options: SignOptions; readonly terminal: Terminal },
): string {
  const base = options.baseUrl ?? terminal.env.PROPGATE_BASE_URL ?? DEFAULT_BASE_URL;
  return curlCommand({
    method,
    url: base.replace(/\/+$/, "") + target,
    headers: signed.headers,
    body: curlBody(options),
  });
}

async function readBody(options: SignOptions): Promise<Uint8Array> {
  if (options.bodyFile !== undefined) return readBytes(options.bodyFile, "body");
  return new TextEncoder().encode(options.body ?? "");
}

function curlBody(options: SignOptions): SignedRequest["body"] {
  if (options.bodyFile !== undefined) return { file: options.bodyFile };
  return options.body === undefined ? null : { text: options.body };
}

function signedLines(signed: Signed): readonly string[] {
  return [
    "canonical string",
    ...signed.canonical.split("\n").map((line) => `  ${line}`),
    "",
    "body sha256",
    `  ${signed.bodySha256}`,
    "",
    "headers",
    ...Object.entries(signed.headers).map(([name, value]) => `  ${name}: ${value}`),
  ];
}
