import { connect, createServer, type Socket } from "node:net";

/** `cut` breaks all connections and refuses new ones; `held` keeps them and carries nothing until later. */
export type SwitchState = "open" | "cut" | "held";

/** A fixed address whose connections go to a server that can change. */
export interface TcpSwitch {
  readonly port: number;
  /** New connections go to this port; those that are open break. */
  setTarget(port: number): void;
  /** After `held`, everything that was sent meanwhile arrives late. */
  setState(state: SwitchState): void;
  close(): Promise<void>;
}

export async function openSwitch(firstTarget: number): Promise<TcpSwitch> {
  const sockets = new Set<Socket>();
  let target = firstTarget;
  let state: SwitchState = "open";

  const join = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.setNoDelay(true);
    // A held connection reads nothing; the bytes arrive later.
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
