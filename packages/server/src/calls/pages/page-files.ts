import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { splitTarget } from "@propgate/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { entityTag, hasEntityTag } from "../../api/edge/entity-tag.ts";

/** A file of the pages, ready to send. */
interface PageFile {
  /** The path of its address: `/assets/index-1a2b3c.js` or `/docs/guides/start`. */
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  /**
   * The content compressed with gzip, as `brotli` is with brotli. Each is null when it would save a tenth of the size
   * or less.
   */
  readonly gzip: Buffer | null;
  readonly brotli: Buffer | null;
}

/** The built files of the pages. */
export interface PageFiles {
  /**
   * The HTML document in which scripts render the pages. The documentation has documents of its own, among the assets.
   */
  readonly document: PageFile;
  readonly assets: readonly PageFile[];
}

/** The paths of the pages that are neither of an account nor below `/console`. */
const PAGES = ["/", "/sign-in", "/link", "/security", "/debugger", "/docs/api", "/console"];

/** The pages of an account, below `/a/ACCOUNT`. */
const ACCOUNT_PAGES = ["positions", "orders", "trades", "payouts", "pro", "journal", "keys"];
/** The pages of the console, below `/console`. */
const CONSOLE_PAGES = [
  "accounts",
  "people",
  "payouts",
  "programs",
  "instruments",
  "prices",
  "audit",
];
const ACCOUNT_PATH = new RegExp(`^/a/[^/]+(/(${ACCOUNT_PAGES.join("|")}))?/?$`);
const CONSOLE_PATH = new RegExp(`^/console/(${CONSOLE_PAGES.join("|")})?/?$`);

/**
 * Prefixes of the paths of interfaces for programs, and of assets. An unknown path below them always gets a JSON
 * answer.
 */
const INTERFACES = ["/api/", "/dashboard/", "/operator/", "/assets/"];

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
 * Scripts and styles come from the service alone and none is inline, so an injected script cannot run. No data can be
 * sent to another site.
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
/** The names of assets contain a hash of their content, so an asset never changes. */
const IMMUTABLE = "public, max-age=31536000, immutable";
const REVALIDATE = "no-cache";

/** The folder of the built pages, which is in the package `@propgate/dashboard`. */
export function builtPagesFolder(): string {
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve("@propgate/dashboard/package.json")), "pages");
}

/** All files of the pages; null when the pages have not been built. */
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
  const path = join(folder, name);
  const plain = await readFile(path);
  const packed = await Promise.all([
    builtOr(`${path}.gz`, () => promisify(gzip)(plain)),
    builtOr(`${path}.br`, () => promisify(brotliCompress)(plain)),
  ]);
  const [zipped, brotli] = packed.map((one) => (one.length < plain.length * 0.9 ? one : null));
  return {
    path: pathOf(name.split(sep).join("/")),
    type: TYPES[extname(name)] ?? "application/octet-stream",
    etag: entityTag(plain),
    plain,
    gzip: zipped ?? null,
    brotli: brotli ?? null,
  };
}

/** The file that the build has compressed. Without it, the service compresses the content itself, at each start. */
function builtOr(path: string, compress: () => Promise<Buffer>): Promise<Buffer> {
  return readFile(path).catch(compress);
}

/** The path of a file's address. A page of the documentation has it without the extension. */
function pathOf(name: string): string {
  return `/${name.startsWith("docs/") ? name.replace(/(\/index)?\.html$/, "") : name}`;
}

/** Adds the files of the pages to the listener. They contain no data; the pages get these by calls. */
export function addPageFiles(app: FastifyInstance, { document, assets }: PageFiles): void {
  for (const path of PAGES) {
    app.route({
      method: ["GET", "HEAD"],
      url: path,
      handler: (request, reply) => send(request, reply, document),
    });
  }
  for (const [path, known] of [
    ["/a/*", ACCOUNT_PATH],
    ["/console/*", CONSOLE_PATH],
  ] as const) {
    app.route({
      method: ["GET", "HEAD"],
      url: path,
      handler: (request, reply) => {
        const isKnown = known.test(pathOfTarget(request));
        return send(request, isKnown ? reply : reply.code(404), document);
      },
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

/**
 * Returns a function that answers an unknown path with the pages' own "Page not found" and status 404, when a browser
 * requests a document. For a program it returns false and sends no answer.
 */
export function createMissingPageAnswer({ document }: PageFiles) {
  return (request: FastifyRequest, reply: FastifyReply): boolean => {
    const { method, headers } = request;
    const path = pathOfTarget(request);
    if (method !== "GET" && method !== "HEAD") return false;
    if (INTERFACES.some((prefix) => path.startsWith(prefix))) return false;
    if (!String(headers.accept ?? "").includes("text/html")) return false;
    send(request, reply.code(404).header("Vary", "Accept, Accept-Encoding"), document);
    return true;
  };
}

function pathOfTarget({ url }: FastifyRequest): string {
  return splitTarget(url).path;
}

function send(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  const isAsset = file.path.startsWith(`/${ASSET_FOLDER}`);
  reply
    .headers({ ...HEADERS, ETag: file.etag, "Cache-Control": isAsset ? IMMUTABLE : REVALIDATE })
    .type(file.type);
  const isCached = hasEntityTag(request.headers["if-none-match"], file.etag);
  if (reply.statusCode === 200 && isCached) return reply.code(304).send();
  const { encoding, bytes } = chooseEncoding(request.headers["accept-encoding"], file);
  if (encoding !== null) reply.header("Content-Encoding", encoding);
  return reply.send(bytes);
}

/** The content in the best encoding that the browser accepts: brotli, else gzip, else none. */
function chooseEncoding(
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
