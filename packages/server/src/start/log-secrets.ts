import { type MasterKeys, parseNatsUrl } from "@propgate/base";
import { passwordsOf } from "@propgate/contract";

/** The values of settings that must never appear in a log. */
export function logSecretsOf(settings: {
  /** The addresses of the databases. A null is the embedded database. */
  readonly databaseUrls: readonly (string | null)[];
  readonly masterKeys: MasterKeys;
  readonly operatorToken: string;
  /** Keys and tokens of price venues. */
  readonly ofVenues?: readonly string[];
  /** Addresses of the validator and the gateway. No log shows their hosts. */
  readonly networkUrls?: readonly string[];
  readonly natsUrl?: string | null;
}): readonly string[] {
  const natsPassword = parseNatsUrl(settings.natsUrl ?? "")?.password ?? null;
  const keys = [...settings.masterKeys.byVersion.values()].map((key) => Buffer.from(key));
  return [
    settings.operatorToken,
    ...(settings.ofVenues ?? []),
    ...(settings.networkUrls ?? []).map((url) => new URL(url).host),
    ...keys.flatMap((key) => [key.toString("base64"), key.toString("hex")]),
    ...(natsPassword === null ? [] : [natsPassword]),
    ...settings.databaseUrls.flatMap((url) => (url === null ? [] : passwordsOf(url))),
  ];
}
