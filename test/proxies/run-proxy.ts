import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "../environment/free-port.ts";
import { eventually } from "../eventually.ts";
import { readText } from "../source-tree.ts";

/** The server name in the example configurations. */
export const PROXIED_NAME = "trade.example.com";

export interface RunningProxy {
  /** The port of the proxy's TLS listener on the loopback addresses of this machine. */
  readonly port: number;
  stop(): Promise<void>;
}

export interface ProxyUnderTest {
  readonly name: string;
  readonly command: string;
  /** The signal that ends the proxy and its workers without waiting for connections. */
  readonly endedBy: NodeJS.Signals;
  /** Writes the proxy's files into the folder. Resolves with the arguments of its command. */
  configure(given: {
    readonly folder: string;
    readonly port: number;
    readonly servicePort: number;
  }): Promise<readonly string[]>;
}

const CERTIFICATE = "fullchain.pem";
const PRIVATE_KEY = "privkey.pem";

/**
 * Replaces texts of an example: ports, certificates, names, and the options of Caddy for the whole server. Throws when
 * the example does not contain a text.
 */
function replaceTexts(
  text: string,
  ...changes: readonly (readonly [from: string, to: string])[]
): string {
  return changes.reduce((left, [from, to]) => {
    if (!left.includes(from)) throw new Error(`the example lacks ${from}`);
    return left.replace(from, to);
  }, text);
}

export const NGINX: ProxyUnderTest = {
  name: "nginx",
  command: "nginx",
  endedBy: "SIGTERM",
  async configure({ folder, port, servicePort }) {
    const example = replaceTexts(
      readText("deploy/nginx.conf"),
      ["server 127.0.0.1:8787;", `server 127.0.0.1:${servicePort};`],
      ["listen 443 ssl;", `listen ${port} ssl;`],
      ["/etc/ssl/propgate/fullchain.pem", join(folder, CERTIFICATE)],
      ["/etc/ssl/propgate/privkey.pem", join(folder, PRIVATE_KEY)],
    );
    const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    const whole = [
      `pid ${join(folder, "nginx.pid")};`,
      "daemon off;",
      "events { worker_connections 256; }",
      "http {",
      "access_log off;",
      ...places.map((place) => `${place}_temp_path ${join(folder, place)};`),
      example,
      "}",
    ];
    const file = join(folder, "nginx.conf");
    await writeFile(file, whole.join("\n"));
    return ["-p", folder, "-e", join(folder, "error.log"), "-c", file];
  },
};

export const CADDY: ProxyUnderTest = {
  name: "Caddy",
  command: "caddy",
  endedBy: "SIGKILL",
  async configure({ folder, port, servicePort }) {
    const pair = `${join(folder, CERTIFICATE)} ${join(folder, PRIVATE_KEY)}`;
    const example = replaceTexts(
      readText("deploy/Caddyfile"),
      ["\n{\n", "\n{\n\tadmin off\n\tauto_https disable_redirects\n"],
      [`\n${PROXIED_NAME} {`, `\nhttps://${PROXIED_NAME}:${port} {\n\ttls ${pair}`],
      ["127.0.0.1:8787", `127.0.0.1:${servicePort}`],
    );
    const file = join(folder, "Caddyfile");
    await writeFile(file, example);
    return ["run", "--adapter", "caddyfile", "--config", file];
  },
};

export function isProxyInstalled({ command }: ProxyUnderTest): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${command}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Reports a missing proxy on standard error, so that a skipped test is not taken for a passed one. */
export function sayProxyIsMissing({ name, command }: ProxyUnderTest): void {
  process.stderr.write(`\nSKIPPED: ${name} is not installed (apt-get install ${command})\n`);
}

/** Starts the real proxy with the settings of its example, in front of the service on the port `servicePort`. */
export async function runProxy(
  proxy: ProxyUnderTest,
  given: { readonly folder: string; readonly servicePort: number },
): Promise<RunningProxy> {
  const { folder, servicePort } = given;
  // The workers of an nginx that root started run as another user, who must be able to read the folder.
  await chmod(folder, 0o755);
  makeCertificate(folder);
  const port = await freePort();
  const options = await proxy.configure({ folder, port, servicePort });
  const child = spawn(proxy.command, options, {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const ended = once(child, "exit").then(() => {
    throw new Error(`${proxy.name} ended: ${said}`);
  });
  await Promise.race([ended, untilListening(port)]);
  return {
    port,
    async stop() {
      child.kill(proxy.endedBy);
      await ended.catch(() => {});
    },
  };
}

function makeCertificate(folder: string): void {
  const out = ["-keyout", join(folder, PRIVATE_KEY), "-out", join(folder, CERTIFICATE)];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const name = ["-subj", `/CN=${PROXIED_NAME}`, "-addext", `subjectAltName=DNS:${PROXIED_NAME}`];
  execFileSync("openssl", ["req", "-x509", ...key, ...out, ...name, "-days", "2"], {
    stdio: "ignore",
  });
}

async function untilListening(port: number): Promise<void> {
  await eventually(async () => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect").finally(() => socket.destroy());
  });
}
