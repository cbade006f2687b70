import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "../../test/environment/free-port.ts";
import { untilTrue } from "./database-pair.ts";

/** Servers of NATS that pass each other's messages on. They store nothing: JetStream is off. */
export interface BusCluster {
  /** The ports for clients. */
  readonly ports: readonly number[];
  kill(server: number): Promise<void>;
  /** Resolves when the server accepts clients. */
  start(server: number): Promise<void>;
  close(): Promise<void>;
}

interface Member {
  readonly port: number;
  readonly configuration: string;
  process: ChildProcess | null;
}

/** The servers write their logs into `logFolder`, with every connection, as the only thing that uses a disk. */
export async function openBusCluster(plan: {
  readonly program: string;
  readonly folder: string;
  readonly logFolder: string;
  readonly servers: number;
}): Promise<BusCluster> {
  const { program, folder, logFolder } = plan;
  const ports: number[] = [];
  const routePorts: number[] = [];
  while (ports.length < plan.servers) {
    ports.push(await freePort());
    routePorts.push(await freePort());
  }
  const routes = routePorts.map((port) => `nats-route://127.0.0.1:${port}`).join(", ");
  const members = ports.map((port, index): Member => {
    const configuration = join(folder, `bus-${index}.conf`);
    // Clients know only the addresses of their settings, so none goes around a switch.
    writeFileSync(
      configuration,
      `server_name: "bus-${index}"
listen: "127.0.0.1:${port}"
log_file: "${join(logFolder, `bus-${index}.log`)}"
debug: true
cluster { name: "proof", listen: "127.0.0.1:${routePorts[index]}", routes: [${routes}], no_advertise: true }
`,
    );
    return { port, configuration, process: null };
  });
  const at = (server: number): Member => {
    const member = members[server];
    if (member === undefined) throw new Error(`there is no server ${server}`);
    return member;
  };
  const kill = async (server: number): Promise<void> => {
    const { process: child } = at(server);
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  };
  const start = async (server: number): Promise<void> => {
    const member = at(server);
    const child = spawn(program, ["-c", member.configuration], { stdio: "ignore" });
    member.process = child;
    await untilTrue(() => {
      if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`);
      return accepts(member.port);
    });
  };
  for (const index of ports.keys()) await start(index);
  return {
    ports,
    kill,
    start,
    async close() {
      for (const index of ports.keys()) await kill(index);
    },
  };
}

/** The server speaks first. */
function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (found: boolean): void => {
      socket.destroy();
      resolve(found);
    };
    socket.once("data", () => end(true));
    socket.once("error", () => end(false));
  });
}
