import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSettings } from "@propgate/server";
import { validate } from "dockerfile-utils";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { ROOT, readText } from "../source-tree.ts";

interface ComposeService {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly networks?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
}
interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: object;
  readonly volumes: object;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const FOLDER = "deploy/compose";
const COMPOSE = parse(readText(`${FOLDER}/compose.yaml`), {
  merge: true,
  strict: true,
}) as ComposeFile;
const SERVICES = Object.entries(COMPOSE.services);
const NODES = SERVICES.filter(([name]) => /^node\d$/.test(name));
/** The keys of the Compose specification that the file may use for a service. */
const SERVICE_KEYS = new Set(
  "build cap_add cap_drop command depends_on entrypoint environment healthcheck image init mem_limit networks ports read_only restart secrets security_opt shm_size stop_grace_period tmpfs user volumes".split(
    " ",
  ),
);

/** The names in a service that the file does not declare, and the local files that do not exist. */
function undeclaredNamesIn(service: ComposeService): readonly string[] {
  const { secrets = [], networks = [], depends_on: others = {}, volumes = [] } = service;
  const sources = volumes.map((volume) => volume.split(":")[0] ?? "");
  return [
    ...secrets.filter((name) => !Object.hasOwn(COMPOSE.secrets, name)),
    ...networks.filter((name) => !Object.hasOwn(COMPOSE.networks, name)),
    ...Object.keys(others).filter((name) => !Object.hasOwn(COMPOSE.services, name)),
    ...sources.filter((source) =>
      source.startsWith(".")
        ? !existsSync(join(ROOT, FOLDER, source))
        : !Object.hasOwn(COMPOSE.volumes, source),
    ),
  ];
}

function has(program: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "propgate-compose-"));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

describe("deploy/compose", () => {
  test("each service uses known keys, an image with a version, and what the file declares", () => {
    for (const [name, service] of SERVICES) {
      const unknown = Object.keys(service).filter((key) => !SERVICE_KEYS.has(key));
      expect([name, unknown, undeclaredNamesIn(service)]).toEqual([name, [], []]);
      expect(service.image).toMatch(/^propgate$|^docker\.io\/\S+:\S+$/);
    }
  });

  test("deploy/compose has three nodes of each role, with settings of this version and secrets as files", () => {
    expect(NODES.map(([name]) => name)).toEqual(["node1", "node2", "node3"]);
    for (const [, { environment = {}, secrets = [] }] of NODES) {
      expect(environment.PROPGATE_ROLE).toBe("all");
      const files = Object.entries(environment).filter(([name]) => name.endsWith("_FILE"));
      expect(files.map(([, file]) => file)).toEqual(secrets.map((name) => `/run/secrets/${name}`));
      const rest = Object.entries(environment).filter(([name]) => !name.endsWith("_FILE"));
      expect(readSettings(Object.fromEntries(rest))).toMatchObject({ ok: true });
      for (const [name] of files) {
        expect(readText("docs/reference/configuration.md")).toContain(`\`${name}\``);
      }
    }
  });

  test("no file of the repository is one of its secrets", () => {
    for (const { file } of Object.values(COMPOSE.secrets))
      expect(file).toMatch(/^\.\/secrets\/[\w-]+$/);
    expect(readText(".gitignore")).toMatch(/^deploy\/compose\/secrets\/$/m);
    expect(readText(".dockerignore")).toMatch(/^deploy\/compose\/secrets$/m);
  });

  test.skipIf(!has("nats-server"))("NATS accepts its configuration", async () => {
    const root = await folder();
    await mkdir(join(root, "etc/nats"), { recursive: true });
    await mkdir(join(root, "run/secrets"), { recursive: true });
    await cp(join(ROOT, FOLDER, "nats/nats.conf"), join(root, "etc/nats/nats.conf"));
    await writeFile(
      join(root, "run/secrets/nats_authorization"),
      "user: nodes\npassword: secret\n",
    );
    const checked = spawnSync("nats-server", ["-t", "-c", join(root, "etc/nats/nats.conf")]);
    expect([checked.status, String(checked.stderr)]).toEqual([
      0,
      expect.stringContaining("is valid"),
    ]);
  });

  test.skipIf(!has("promtool"))("Prometheus accepts its configuration", async () => {
    const root = await folder();
    await cp(join(ROOT, FOLDER, "prometheus.yml"), join(root, "prometheus.yml"));
    await cp(join(ROOT, "deploy/prometheus/alerts.yml"), join(root, "alerts.yml"));
    const checked = spawnSync("promtool", ["check", "config", join(root, "prometheus.yml")]);
    expect([checked.status, String(checked.stderr)]).toEqual([0, ""]);
  });

  test.each(["primary.sh", "standby.sh"])("bash accepts postgres/%s", (name) => {
    const checked = spawnSync("bash", ["-n", join(ROOT, FOLDER, "postgres", name)]);
    expect([checked.status, String(checked.stderr)]).toEqual([0, ""]);
  });
});

test("deploy/Containerfile has no finding of the linter of Dockerfiles", () => {
  expect(validate(readText("deploy/Containerfile")).map(({ message }) => message)).toEqual([]);
});
