import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Chance } from "../random.ts";

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
  await mkdir(source.dataDir, { recursive: true, mode: 0o700 });
  const fresh = `op_${Buffer.from(source.chance.bytes(TOKEN_BYTES)).toString("base64url")}`;
  const handle = await open(file, "wx", 0o600).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "EEXIST") return null;
    throw cause;
  });
  if (handle !== null) {
    try {
      await handle.writeFile(`${fresh}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  const token = (await readFile(file, "utf8")).trim();
  if (token.length < 24)
    throw new Error(`${file} holds no operator token: remove it to get another`);
  return token;
}
