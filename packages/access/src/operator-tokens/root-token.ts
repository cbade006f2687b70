import { join } from "node:path";
import { CannotStart, type Chance, readOrCreateSecret } from "@propgate/base";
import { generateOperatorToken } from "./operator-tokens.ts";

const TOKEN_FILE = "operator.token";
/** Minimum length of a token in the file; a configured token has the same minimum. */
const TOKEN_LENGTH_MIN = 24;

/** The file that holds the root token when none is configured. */
export function operatorTokenPath(dataDir: string): string {
  return join(dataDir, TOKEN_FILE);
}

/**
 * The configured root token, or the one in the data folder. The first start creates the file of that token, which only
 * the folder's owner may read. Throws `CannotStart` when the file has fewer characters than a token must have.
 */
export async function loadOperatorToken(source: {
  readonly configured: string | null;
  readonly dataDir: string;
  readonly chance: Chance;
}): Promise<string> {
  if (source.configured !== null) return source.configured;
  const file = operatorTokenPath(source.dataDir);
  const fresh = generateOperatorToken(source.chance);
  const token = (await readOrCreateSecret(file, `${fresh}\n`)).trim();
  if (token.length < TOKEN_LENGTH_MIN)
    throw new CannotStart(`${file} contains no operator token`, {
      fix: "Remove it; the next start creates another one.",
    });
  return token;
}
