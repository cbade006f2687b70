import { randomNonce, type Signed, sign } from "@propgate/sdk";
import { type Command, Option } from "commander";
import { DEFAULT_BASE_URL } from "../base-url.ts";
import { curlCommand, type SignedRequest } from "../curl-command.ts";
import { print } from "../output.ts";
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
  readonly curl?: string | true;
}

/** `propgate sign`: what a correct client sends, part by part. */
export function addSign(program: Command, terminal: Terminal): void {
  program
    .command("sign")
    .summary("sign a request: print its canonical string and headers")
    .description(
      "Sign a request and print the canonical string, the body's SHA-256 and the four headers.\n" +
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
    .option("--curl [base-url]", "print a curl command that sends the request")
    .action(async (givenMethod: string, target: string, options: SignOptions, command: Command) => {
      const method = givenMethod.toUpperCase();
      const signed = await sign({
        method,
        target,
        body: await readBody(options),
        keyId: options.keyId ?? terminal.env["PROPGATE_KEY_ID"] ?? "KEY_ID",
        secret: await readSecret(terminal, options.secretFile),
        timestamp: options.timestamp ?? terminal.now(),
        nonce: options.nonce ?? randomNonce(),
        brand: options.brand ?? terminal.env["PROPGATE_BRAND"] ?? "Service",
      });
      const curl =
        options.curl === undefined
          ? null
          : curlCommand({
              method,
              url: baseUrl(options.curl, terminal) + target,
              headers: signed.headers,
              body: curlBody(options),
            });
      print(terminal, command.optsWithGlobals()["json"] === true, {
        value: { ...signed, curl },
        lines: describe(signed, curl),
      });
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

function baseUrl(given: string | true, terminal: Terminal): string {
  const url = given === true ? (terminal.env["PROPGATE_BASE_URL"] ?? DEFAULT_BASE_URL) : given;
  return url.replace(/\/$/, "");
}

function describe(signed: Signed, curl: string | null): readonly string[] {
  return [
    "canonical string",
    ...signed.canonical.split("\n").map((line) => `  ${line}`),
    "",
    "body sha256",
    `  ${signed.bodySha256}`,
    "",
    "headers",
    ...Object.entries(signed.headers).map(([name, value]) => `  ${name}: ${value}`),
    ...(curl === null ? [] : ["", "ready to run, once", curl]),
  ];
}
