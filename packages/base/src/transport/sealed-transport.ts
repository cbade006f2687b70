import { createMessageSeal } from "./message-seal.ts";
import type { Transport } from "./transport.ts";

/**
 * The transport with sealed messages, by one key for each master key: only a node of the installation can make one, and
 * none arrives under another subject than its own. `onUnsealed` is called with the subject of each message without a
 * right seal, which goes no further.
 * @rule D12.sealedQuotes decides
 */
export function sealedTransport(
  options: { readonly transport: Transport; readonly sealKeys: readonly Uint8Array[] },
  onUnsealed: (subject: string) => void,
): Transport {
  const { transport } = options;
  const seal = createMessageSeal(options.sealKeys);
  return {
    get isConnected() {
      return transport.isConnected;
    },
    send(subject, text) {
      transport.send(subject, seal.seal(text, subject));
    },
    receive(subject, call) {
      transport.receive(subject, (received) => {
        const text = seal.open(Buffer.from(received.content).toString("utf8"), received.subject);
        if (text === null) onUnsealed(received.subject);
        else call({ ...received, content: Buffer.from(text) });
      });
    },
    onConnect: (listener) => transport.onConnect(listener),
    close: () => transport.close(),
  };
}
