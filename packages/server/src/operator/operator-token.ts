import { join } from "node:path";
import type { Chance } from "../random.ts";
import { CannotStart } from "../running-service.ts";
import { readOrMakeSecret } from "../secret-file.ts";

const TOKEN_FILE = "operator.token";
const TOKEN_BYTES = 32;

/** Where the token is kept when none is configured. */
export function operatorTokenFile(dataDir: string): string {
  return join(dataDir, TOKEN_FILE);
}

/**
 * The configured operator token, or the one in the data folder, which is made at the first start and
 * which only the owner of the folder may read.
 */
export async function loadOperatorToken(source: {
  readonly configured: string | null;
  readonly dataDir: string;
  readonly chance: Chance;
}): Promise<string> {
  if (source.configured !== null) return source.configured;
  const file = operatorTokenFile(source.dataDir);
  const fresh = `op_${Buffer.from(source.chance.bytes(TOKEN_BYTES)).toString("base64url")}`;
  const token = (await readOrMakeSecret(file, `${fresh}\n`)).trim();
  if (token.length < 24)
    throw new CannotStart(`${file} holds no operator token`, { fix: "Remove it to get another." });
  return token;
}
