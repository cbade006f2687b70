import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** A file of the pages, ready to be sent. */
interface PageFile {
  /** What it is asked for by: `/assets/index-1a2b3c.js`, `/docs/guides/start`. */
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  /** Null where it would not become smaller. */
  readonly gzip: Buffer | null;
  readonly brotli: Buffer | null;
}

export interface PageFiles {
  /** The one document; every page is drawn from it. */
  readonly document: PageFile;
  readonly assets: readonly PageFile[];
}

/** Paths that are pages; whatever else is asked for leads nowhere, as before. */
const PAGES = [
  "/",
  "/sign-in",
  "/link",
  "/security",
  "/debugger",
  "/docs/api",
  "/console",
  "/console/*",
  "/a/*",
] as const;

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

/**
 * Everything comes from the service itself and nothing stands inline, so a script that somebody
 * smuggles into a text cannot run, and nothing can be sent anywhere else.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": POLICY,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  Vary: "Accept-Encoding",
};

const ASSET_FOLDER = "assets/";
/** The names of assets hold a hash of what is in them. */
const FOR_EVER = "public, max-age=31536000, immutable";
const ASK_AGAIN = "no-cache";

/** Where the pages are, once they have been built: beside this package's own code or its neighbour. */
export function builtPages(): string {
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve("@propgate/dashboard/package.json")), "pages");
}

/** All files of the pages, or null when they have not been built. */
export async function readPageFiles(folder: string): Promise<PageFiles | null> {
  const names = await filesOf(folder);
  const files = await Promise.all(names.map((name) => readPageFile(folder, name)));
  const document = files.find(({ path }) => path === "/index.html");
  if (document === undefined) return null;
  return { document, assets: files.filter((file) => file !== document) };
}

async function filesOf(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && TYPES[extname(entry.name)] !== undefined)
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  } catch {
    return [];
  }
}

async function readPageFile(folder: string, name: string): Promise<PageFile> {
  const plain = await readFile(join(folder, name));
  const packed = await Promise.all([promisify(gzip)(plain), promisify(brotliCompress)(plain)]);
  const [zipped, brotli] = packed.map((one) => (one.length < plain.length * 0.9 ? one : null));
  return {
    path: pathOf(name.split(sep).join("/")),
    type: TYPES[extname(name)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
    plain,
    gzip: zipped ?? null,
    brotli: brotli ?? null,
  };
}

/** A page of the documentation is asked for without the ending of its file. */
function pathOf(name: string): string {
  return `/${name.startsWith("docs/") ? name.replace(/(\/index)?\.html$/, "") : name}`;
}

/** Adds the pages to the listener. They hold no data: that comes by calls of who is signed in. */
export function addPageFiles(app: FastifyInstance, { document, assets }: PageFiles): void {
  for (const path of PAGES) {
    app.route({
      method: ["GET", "HEAD"],
      url: path,
      handler: (request, reply) => send(request, reply, document),
    });
  }
  for (const asset of assets) {
    app.route({
      method: ["GET", "HEAD"],
      url: asset.path,
      handler: (request, reply) => send(request, reply, asset),
    });
  }
}

function send(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  const isAsset = file.path.startsWith(`/${ASSET_FOLDER}`);
  reply
    .headers({ ...HEADERS, ETag: file.etag, "Cache-Control": isAsset ? FOR_EVER : ASK_AGAIN })
    .type(file.type);
  if (request.headers["if-none-match"] === file.etag) return reply.code(304).send();
  const { encoding, bytes } = chosen(request.headers["accept-encoding"], file);
  if (encoding !== null) reply.header("Content-Encoding", encoding);
  return reply.send(bytes);
}

/** The smallest form that the browser takes. */
function chosen(
  accepted: string | string[] | undefined,
  { plain, gzip: zipped, brotli }: PageFile,
): { readonly encoding: "br" | "gzip" | null; readonly bytes: Buffer } {
  const words = String(accepted ?? "")
    .split(",")
    .filter((word) => !/;\s*q=0(\.0*)?\s*$/.test(word))
    .map((word) => word.split(";")[0]?.trim());
  if (brotli !== null && words.includes("br")) return { encoding: "br", bytes: brotli };
  if (zipped !== null && words.includes("gzip")) return { encoding: "gzip", bytes: zipped };
  return { encoding: null, bytes: plain };
}
