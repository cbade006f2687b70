import { connect, createServer, type Socket } from "node:net";

/** `cut` breaks all connections and refuses new ones. `held` keeps them, and their bytes wait for the state `open`. */
export type TcpSwitchState = "open" | "cut" | "held";

/** A fixed address that passes its connections on to a server that can change. */
export interface TcpSwitch {
  readonly port: number;
  /** Sends new connections to this port and breaks the open ones. */
  setTarget(port: number): void;

  setState(state: TcpSwitchState): void;
  close(): Promise<void>;
}

/** Opens a TCP switch whose connections go to the port `firstTarget` of this machine. */
export async function openTcpSwitch(firstTarget: number): Promise<TcpSwitch> {
  const sockets = new Set<Socket>();
  let target = firstTarget;
  let state: TcpSwitchState = "open";

  const join = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.setNoDelay(true);
    // A held connection is not read; its bytes arrive when the state is `open` again.
    if (state === "held") from.pause();
    from.on("data", (chunk) => to.write(chunk));
    from.on("error", () => undefined);
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const listener = createServer((client) => {
    if (state === "cut") {
      client.resetAndDestroy();
      return;
    }
    const server = connect(target, "127.0.0.1");
    join(client, server);
    join(server, client);
  });
  const breakAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
    sockets.clear();
  };
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("the listener has no port");
  return {
    port: address.port,
    setTarget(port) {
      target = port;
      breakAll();
    },
    setState(next) {
      state = next;
      if (next === "cut") breakAll();
      for (const socket of sockets) {
        if (next === "held") socket.pause();
        else socket.resume();
      }
    },
    close() {
      breakAll();
      return new Promise((resolve) => {
        listener.close(() => resolve());
      });
    },
  };
}
