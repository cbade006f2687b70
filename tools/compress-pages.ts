import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

const COMPRESSED: readonly (readonly [
  extension: string,
  compress: (plain: Buffer) => Promise<Buffer>,
])[] = [
  [".gz", promisify(gzip)],
  [".br", promisify(brotliCompress)],
];
const EXTENSIONS: ReadonlySet<string> = new Set(COMPRESSED.map(([extension]) => extension));

/**
 * Writes a `.gz` and a `.br` file beside each file of the pages, unless these are newer than the file. Removes
 * compressed files whose original is gone. Compression takes seconds, so the build does it and not the start of the
 * service.
 */
export async function compressPages(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => join(entry.parentPath, entry.name));
  const there = new Set(paths);
  await Promise.all(
    paths.map(async (path) => {
      const extension = extname(path);
      if (!EXTENSIONS.has(extension)) await compressFile(path);
      else if (!there.has(path.slice(0, -extension.length))) await rm(path);
    }),
  );
}

async function compressFile(path: string): Promise<void> {
  const plain = await readFile(path);
  const made = await modifiedAt(path);
  for (const [extension, compress] of COMPRESSED) {
    const compressed = `${path}${extension}`;
    if ((await modifiedAt(compressed)) > made) continue;
    await writeFile(compressed, await compress(plain));
  }
}

async function modifiedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
