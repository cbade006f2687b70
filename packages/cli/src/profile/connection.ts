import { DEFAULT_BRAND } from "@propgate/contract";
import type { Command } from "commander";
import { DEFAULT_BASE_URL } from "../base-url.ts";
import { usageError } from "../cli-error.ts";
import type { OutputOptions } from "../output.ts";
import { readSecretText, refuseDamagedSecret } from "../secret.ts";
import type { Terminal } from "../terminal.ts";
import { openProfileStore, type Profile } from "./profile-store.ts";
import { refuseSecretAsId } from "./secret-as-id.ts";

/** The options that choose the service and the key of a command. */
export interface ConnectionOptions extends OutputOptions {
  readonly profile?: string;
  readonly url?: string;
  readonly brand?: string;
  readonly keyId?: string;
  readonly secretFile?: string;
}

/** A service, and the key with which a command signs. */
export interface Credentials {
  /** The service's address without a slash at its end. */
  readonly baseUrl: string;
  readonly brand: string;
  readonly keyId: string;
  readonly secret: string;
  /** Where key and secret come from, for messages. */
  readonly source: string;
}

/** Adds the options of every command that signs. */
export function addConnectionOptions(command: Command): Command {
  return command
    .option("--profile <name>", "a profile of `propgate profile` (PROPGATE_PROFILE)")
    .option("--url <url>", `the service (PROPGATE_BASE_URL, or ${DEFAULT_BASE_URL})`)
    .option("--brand <word>", "word in the header names (PROPGATE_BRAND, or Service)")
    .option("--key-id <id>", "key id (PROPGATE_KEY_ID)")
    .option("--secret-file <path>", "file with the secret; - is standard input");
}

/**
 * The order in which key and address are found. It is part of the help of `propgate profile`, and the guide repeats it.
 */
export const CREDENTIALS_HELP = `
Key id, secret, URL and brand come from the first of these sources that exists:
  1. --key-id, with --secret-file, PROPGATE_SECRET or standard input
  2. --profile NAME, or PROPGATE_PROFILE
  3. PROPGATE_KEY_ID, PROPGATE_SECRET, PROPGATE_BASE_URL and PROPGATE_BRAND
  4. the profile in use (propgate profile use NAME)
--url, --brand and --secret-file override one value. A secret is never an argument.`;

/** The service and the key of a command. Rejects a secret whose checksum does not match. @rule D10.secretForm */
export async function readCredentials(
  terminal: Terminal,
  options: ConnectionOptions,
): Promise<Credentials> {
  const credentials = await findCredentials(terminal, options);
  refuseDamagedSecret(credentials.secret);
  return credentials;
}

/**
 * The credentials as they were given, without a check of the secret: `propgate doctor` reports a damaged secret as one
 * of its checks.
 */
export async function findCredentials(
  terminal: Terminal,
  options: ConnectionOptions,
): Promise<Credentials> {
  const found = await findProfile(terminal, options);
  const { profile } = found;
  refuseSecretAsId(profile.keyId, {
    where: found.source,
    secret: profile.secret ?? terminal.env.PROPGATE_SECRET ?? null,
    ...(found.fix === null ? {} : { fix: found.fix }),
  });
  return {
    baseUrl: readUrl(options.url ?? profile.baseUrl),
    brand: readBrand(options.brand ?? profile.brand),
    keyId: readKeyId(profile.keyId),
    secret:
      options.secretFile === undefined && profile.secret !== null
        ? profile.secret
        : await readSecretText(terminal, options.secretFile),
    source: found.source,
  };
}

interface FoundProfile {
  readonly profile: Profile;
  readonly source: string;
  /** The remedy for an invalid key id; null when the source has none of its own. */
  readonly fix: string | null;
}

async function findProfile(terminal: Terminal, options: ConnectionOptions): Promise<FoundProfile> {
  const { env } = terminal;
  if (options.keyId !== undefined) return profileFromEnvironment(env, options.keyId, "--key-id");
  const named = options.profile ?? (env.PROPGATE_PROFILE || undefined);
  if (named === undefined && env.PROPGATE_KEY_ID) {
    return profileFromEnvironment(env, env.PROPGATE_KEY_ID, "PROPGATE_KEY_ID");
  }
  const store = openProfileStore(env);
  const name = named ?? (await store.inUse());
  if (name === null) throw noKeyError();
  return {
    profile: await store.read(name),
    source: `the profile ${name}`,
    fix: `Nothing was sent. Add the profile again:\npropgate profile add ${name} --replace --key-id pk_…`,
  };
}

function profileFromEnvironment(env: Terminal["env"], keyId: string, source: string): FoundProfile {
  return {
    profile: {
      baseUrl: env.PROPGATE_BASE_URL || DEFAULT_BASE_URL,
      brand: env.PROPGATE_BRAND || DEFAULT_BRAND,
      keyId,
      secret: null,
    },
    source,
    fix: null,
  };
}

function noKeyError(): Error {
  return usageError(
    "no key was given, and no profile is in use",
    "Add a profile: propgate profile add NAME --key-id pk_…\n" +
      "Or set PROPGATE_KEY_ID and PROPGATE_SECRET.",
  );
}

/** The origin of a typed address of the service. Any other text is a usage error. */
export function readUrl(text: string): string {
  if (/^https?:\/\/[^/]+/.test(text) && URL.canParse(text)) {
    const { origin, username } = new URL(text);
    // The path of a URL would not be signed, so a URL with one is rejected.
    if (username === "" && text.replace(/\/+$/, "").toLowerCase() === origin) return origin;
    throw usageError(`the URL contains more than a host and a port: ${text}`, `Such as ${origin}`);
  }
  throw usageError(`not an http or https URL: ${text}`, `Such as ${DEFAULT_BASE_URL}`);
}

/** Returns a key id. A header value needs printable ASCII without spaces, so any other text is a usage error. */
export function readKeyId(text: string): string {
  if (/^[\x21-\x7e]{1,128}$/.test(text)) return text;
  throw usageError(
    `not a key id: ${JSON.stringify(text)}`,
    "It is shown with the key, such as pk_…",
  );
}

/** Returns a brand word that is valid in a header name. Any other text is a usage error. */
export function readBrand(text: string): string {
  if (/^[A-Za-z][A-Za-z0-9-]{0,31}$/.test(text)) return text;
  throw usageError(
    `not a valid word in header names: ${text}`,
    "Use letters and digits, such as Service.",
  );
}
