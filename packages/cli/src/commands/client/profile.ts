import { DEFAULT_BRAND } from "@propgate/contract";
import type { Command } from "commander";
import { DEFAULT_BASE_URL } from "../../base-url.ts";
import { usageError } from "../../cli-error.ts";
import { type OutputOptions, printResult, tableLines } from "../../output.ts";
import { CREDENTIALS_HELP, readBrand, readKeyId, readUrl } from "../../profile/connection.ts";
import {
  checkProfileName,
  openProfileStore,
  type ProfileStore,
} from "../../profile/profile-store.ts";
import { beginsAsSecret, refuseSecretAsId } from "../../profile/secret-as-id.ts";
import { readSecret, refuseDamagedSecret } from "../../secret.ts";
import type { Terminal } from "../../terminal.ts";

interface AddOptions extends OutputOptions {
  readonly url: string;
  readonly brand: string;
  readonly keyId: string;
  readonly secretFile?: string;
  /** False with `--no-secret`: the profile does not store the secret. */
  readonly secret: boolean;
  readonly replace?: boolean;
  readonly use?: boolean;
}

/** `propgate profile add|list|use|remove`: stores services and keys under names. */
export function addProfile(program: Command, terminal: Terminal): void {
  const profile = program
    .command("profile")
    .summary("store services and keys under names")
    .description(
      "Store services and keys under names, in $XDG_CONFIG_HOME/propgate/profiles (~/.config), one file " +
        "each that only you can read. A file that other users can read is rejected.",
    )
    .addHelpText("after", CREDENTIALS_HELP);
  addAddCommand(profile, terminal);
  addListCommand(profile, terminal);
  addUseCommand(profile, terminal);
  addRemoveCommand(profile, terminal);
}

function addAddCommand(profile: Command, terminal: Terminal): void {
  const command = profile
    .command("add")
    .summary("store a service and a key under a name")
    .description(
      "Store a service and a key under a name; the first profile is in use immediately. The secret comes " +
        "from --secret-file, PROPGATE_SECRET, standard input or a prompt. It is never an argument.",
    )
    .argument("<name>", "such as challenge-100k")
    .requiredOption("--key-id <id>", "the key's id, pk_…")
    .option("--url <url>", "the service", DEFAULT_BASE_URL)
    .option("--brand <word>", "word in the header names", DEFAULT_BRAND)
    .option("--secret-file <path>", "file with the secret; - is standard input")
    .option("--no-secret", "do not store the secret; commands read PROPGATE_SECRET")
    .option("--replace", "replace a profile of this name")
    .option("--use", "make it the profile in use");
  command.action(async (name: string) => {
    const options = command.optsWithGlobals<AddOptions>();
    const keyId = checkedKeyId(options.keyId, terminal);
    const store = openProfileStore(terminal.env);
    const existing = await store.names();
    if (existing.includes(name) && options.replace !== true) {
      throw usageError(
        `the profile ${name} already exists`,
        "Choose another name, or add --replace.",
      );
    }
    await store.write(checkProfileName(name), {
      baseUrl: readUrl(options.url),
      brand: readBrand(options.brand),
      keyId,
      secret: options.secret ? await readProfileSecret(terminal, options) : null,
    });
    const inUse = options.use === true || existing.length === 0;
    if (inUse) await store.use(name);
    printResult(terminal, options, {
      value: { name, inUse, folder: store.folder },
      lines: [
        `${name} is stored in ${store.folder}${inUse ? " and in use" : ""}`,
        `Check that it works: ${terminal.invocation} doctor`,
      ],
    });
  });
}

/** Checks the key id before the secret is read. A secret that was given instead of the key id is a usage error. */
function checkedKeyId(given: string, { env }: Terminal): string {
  const secret = env.PROPGATE_SECRET ?? null;
  refuseSecretAsId(given, { where: "--key-id", secret, fix: ARGUMENT_FIX });
  return readKeyId(given);
}

const ARGUMENT_FIX =
  "Nothing was stored. Other users of this\nmachine can read arguments: create a new key and revoke this one.";

async function readProfileSecret(terminal: Terminal, options: AddOptions): Promise<string> {
  const isGiven = options.secretFile !== undefined || terminal.env.PROPGATE_SECRET !== undefined;
  if (isGiven || !terminal.inputIsTyped || !terminal.errorIsTerminal) {
    return readSecret(terminal, options.secretFile);
  }
  const typed = await terminal.prompts.secret("Secret of the key (propgate_sk_…)");
  if (typed === null || typed.trim() === "") throw usageError("no secret was given");
  refuseDamagedSecret(typed.trim());
  return typed.trim();
}

function addListCommand(profile: Command, terminal: Terminal): void {
  const command = profile.command("list").summary("list profiles; secrets are not shown");
  command.action(async () => {
    const options = command.optsWithGlobals<OutputOptions>();
    const store = openProfileStore(terminal.env);
    const [inUse, rows] = [await store.inUse(), await listProfiles(store)];
    const value = rows.map((row) => ({ ...row, inUse: row.name === inUse }));
    printResult(terminal, options, {
      value,
      columns: COLUMNS,
      lines:
        rows.length === 0
          ? [`There is no profile. Add one: ${terminal.invocation} profile add NAME --key-id pk_…`]
          : tableLines(
              ["", "name", "service", "brand", "key id", "secret"],
              value.map((row) => [
                row.inUse ? "*" : "",
                row.name,
                row.baseUrl,
                row.brand,
                row.keyId,
                row.secret,
              ]),
            ),
    });
  });
}

interface ListedProfile {
  readonly name: string;
  readonly baseUrl: string;
  readonly brand: string;
  readonly keyId: string;
  /** Where the secret comes from: `kept` in the profile, or `environment`. */
  readonly secret: "kept" | "environment";
}

/** Shown in place of a key id that is a secret. @rule D10.secretAsId */
const HIDDEN_SECRET_TEXT = "a secret, not shown";

const COLUMNS = ["name", "baseUrl", "brand", "keyId", "secret", "inUse"];

async function listProfiles(store: ProfileStore): Promise<readonly ListedProfile[]> {
  const rows: ListedProfile[] = [];
  for (const name of await store.names()) {
    const { baseUrl, brand, keyId, secret } = await store.read(name);
    const shown = beginsAsSecret(keyId) ? HIDDEN_SECRET_TEXT : keyId;
    const place = secret === null ? "environment" : "kept";
    rows.push({ name, baseUrl, brand, keyId: shown, secret: place });
  }
  return rows;
}

function addUseCommand(profile: Command, terminal: Terminal): void {
  const command = profile
    .command("use")
    .summary("set the default profile")
    .argument("<name>", "the profile");
  command.action(async (name: string) => {
    const options = command.optsWithGlobals<OutputOptions>();
    await openProfileStore(terminal.env).use(name);
    printResult(terminal, options, { value: { name, inUse: true }, lines: [`${name} is in use`] });
  });
}

function addRemoveCommand(profile: Command, terminal: Terminal): void {
  const command = profile
    .command("remove")
    .summary("remove a profile; its key stays valid")
    .argument("<name>", "the profile");
  command.action(async (name: string) => {
    const options = command.optsWithGlobals<OutputOptions>();
    await openProfileStore(terminal.env).remove(name);
    printResult(terminal, options, {
      value: { name, removed: true },
      lines: [`${name} is removed; its key stays valid until it is revoked`],
    });
  });
}
