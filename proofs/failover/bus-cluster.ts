import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "../../test/environment/free-port.ts";
import { untilTrue } from "./database-pair.ts";

/** NATS servers in one cluster, which pass each other's messages on. They store no messages: JetStream is off. */
export interface BusCluster {
  /** The ports for clients, one for each server. */
  readonly ports: readonly number[];
  kill(server: number): Promise<void>;
  /** Starts the server and resolves when it accepts clients. */
  start(server: number): Promise<void>;
  close(): Promise<void>;
}

interface BusServer {
  readonly port: number;
  readonly configuration: string;
  process: ChildProcess | null;
}

/** Starts the servers. They write only their logs, with lines for every connection, into `logFolder`. */
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
  const members = ports.map((port, index): BusServer => {
    const configuration = join(folder, `bus-${index}.conf`);
    // `no_advertise` keeps the addresses of the other servers from clients, so each connection of a client goes through
    // a TCP switch.
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
  const at = (server: number): BusServer => {
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
      return acceptsClients(member.port);
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

/** True when the server accepts clients: a NATS server sends the first message of a connection. */
function acceptsClients(port: number): Promise<boolean> {
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
