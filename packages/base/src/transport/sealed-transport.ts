import { createMessageSeal } from "./message-seal.ts";
import type { Transport } from "./transport.ts";

/**
 * A transport whose messages have seals (`MessageSeal`), by one key for each master key. Only a node of the
 * installation can make such a message, and no message is accepted under another subject than its own. A message
 * without a right seal is dropped, after `onUnsealed` was called with its subject. @rule D12.sealedQuotes decides
 */
export function createSealedTransport(
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
    subscribe(subject, call) {
      transport.subscribe(subject, (received) => {
        const text = seal.open(Buffer.from(received.content).toString("utf8"), received.subject);
        if (text === null) onUnsealed(received.subject);
        else call({ ...received, content: Buffer.from(text) });
      });
    },
    onConnect: (listener) => transport.onConnect(listener),
    close: () => transport.close(),
  };
}
