import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { imagePaths, writeImageContents } from "../../tools/image-contents.ts";
import { parseLockedPackages } from "../../tools/locked-packages.ts";
import { runNameOf } from "../environment/run-name.ts";
import { readText } from "../source-tree.ts";

const MEBIBYTE = 1_048_576;
/** The maximum size of the image in MiB, without node itself, which takes about 120 MB. */
const IMAGE_MIB_MAX = 110;
const CONTAINERFILE = readText("deploy/Containerfile").replaceAll("\\\n", " ");
/**
 * Whether the tests run as root with mount namespaces, so that they can use the container's user and read-only folders.
 */
const CAN_CONFINE =
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "setpriv", "--version"]).status === 0;
/**
 * A shell script that runs a command as in the container: /mnt is the image, /srv its volume, /tmp a file system in
 * memory, and /media has node. Only /srv and /tmp are writable.
 */
const CONFINED_SHELL = `
  mount --bind "$IMAGE" /mnt && mount --bind "$NODE_FOLDER" /media &&
  mount -t tmpfs -o uid=65532,gid=65532,mode=0700 tmpfs /srv && mount -t tmpfs tmpfs /tmp &&
  mkdir -m 1777 -p "$TMPDIR" &&
  mount -o remount,ro,bind /mnt && mount -o remount,ro,bind /media && mount -o remount,ro,bind / && cd /mnt &&
  exec setpriv --reuid 65532 --regid 65532 --clear-groups --no-new-privs --bounding-set=-all -- env -i "$@"`;

/**
 * The temporary folder of confined commands, below the container's /tmp. Its name is that of this run, by which the end
 * of the run finds what a test left behind.
 */
const CONFINED_TEMPORARY_FOLDER = join("/tmp", runNameOf(tmpdir()) ?? "");

function wordsOf(directive: string): readonly string[] {
  const line = CONTAINERFILE.split("\n").find((one) => one.trim().startsWith(directive)) ?? "";
  const words: unknown = JSON.parse(line.slice(line.indexOf("[")));
  if (!Array.isArray(words)) throw new Error(`no list of words: ${line}`);
  return words.map(String);
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe("the contents of the image", () => {
  let folder = "";
  let image = "";
  let child: ChildProcess | null = null;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "propgate-image-"));
    image = join(folder, "image");
    await mkdir(image, { mode: 0o755 });
    await writeImageContents(image);
  });
  afterAll(async () => {
    child?.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });

  test("the contents of the image are production packages, sources without tests, data and pages", () => {
    const lock = readText("package-lock.json");
    const { copied } = imagePaths(lock);
    const names = copied
      .filter((path) => path.startsWith("node_modules/"))
      .map((path) => path.replace("node_modules/", ""));
    const { packages } = parseLockedPackages(lock);
    const running = packages.filter((one) => !one.isDevelopment && !one.isOptional);
    expect(new Set(names)).toEqual(
      new Set(running.filter(({ isNested }) => !isNested).map(({ name }) => name)),
    );
    const files = filesIn(image);
    const own = files.filter((path) => path.startsWith(join(image, "packages")));
    expect(own.filter((path) => /\.(test|suite)\.tsx?$|\/testing\//.test(path))).toEqual([]);
    expect(own).toContain(join(image, "packages/dashboard/pages/index.html"));
    const mebibytes = files.reduce((sum, path) => sum + statSync(path).size, 0) / MEBIBYTE;
    expect(mebibytes).toBeLessThan(IMAGE_MIB_MAX);
  });

  test.skipIf(!CAN_CONFINE)(
    "the contents of the image start as the container starts them: unprivileged, and with a read-only root",
    async () => {
      const [, ...words] = wordsOf("ENTRYPOINT ");
      const environment = [
        "PATH=/media:/usr/bin:/bin",
        "NODE_ENV=production",
        "PROPGATE_HOST=0.0.0.0",
        "PROPGATE_PORT=0",
        "PROPGATE_OPERATOR_LISTEN=127.0.0.1:0",
        "PROPGATE_DATA_DIR=/srv",
        `TMPDIR=${CONFINED_TEMPORARY_FOLDER}`,
      ];
      const confined = [
        "--mount",
        "sh",
        "-c",
        CONFINED_SHELL,
        "sh",
        ...environment,
        "node",
        ...words,
      ];
      const started = spawn("unshare", [...confined, "--json"], {
        env: {
          PATH: process.env.PATH,
          IMAGE: image,
          NODE_FOLDER: join(process.execPath, ".."),
          TMPDIR: CONFINED_TEMPORARY_FOLDER,
        },
        stdio: ["ignore", "pipe", "inherit"],
      });
      child = started;
      const ended = once(started, "exit");
      const ready = JSON.parse(await firstDocument(started.stdout)) as {
        readonly baseUrl: string;
        readonly firstStartFile: string;
      };
      expect(ready.firstStartFile).toBe("/srv/first-start.txt");
      const { port } = new URL(ready.baseUrl);
      const check = wordsOf("HEALTHCHECK ").map((word) => word.replace("8787", port));
      const [, ...script] = check;
      expect(spawnSync(process.execPath, script).status).toBe(0);
      const page = await fetch(`http://127.0.0.1:${port}/`);
      expect(page.status).toBe(200);
      started.kill("SIGTERM");
      expect(await ended).toEqual([0, null]);
      expect(spawnSync(process.execPath, script).status).toBe(1);
    },
  );
});

async function firstDocument(output: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const line of createInterface({ input: output })) {
    text += `${line}\n`;
    if (line === "}" || /^\{.*\}$/.test(line)) return text;
  }
  throw new Error(`the service did not start: ${text}`);
}
