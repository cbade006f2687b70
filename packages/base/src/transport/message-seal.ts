import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";

/**
 * Seals messages between the nodes. Only a node with a master key of the installation can make a seal, so a program
 * that may publish on NATS cannot place orders or invent prices. `about` is sealed too and not sent: a message for one
 * subject is invalid under another.
 */
export interface MessageSeal {
  /** The content behind one line with its seals. */
  seal(content: string, about: string): string;
  /** The content; null when no seal is right. */
  open(sealed: string, about: string): string | null;
}

/** A node with an old and a new master key makes a seal by each, for nodes that have only one of them. */
const SEALS_MAX = 8;
const SEAL_BYTES = 32;

/** `keys`: one for each master key, at least one. */
export function createMessageSeal(keys: readonly Uint8Array[]): MessageSeal {
  // Made once, because making a key object for each message would cost five times as much as the seal.
  const secrets = keys.map((key) => createSecretKey(key));
  const sealOf = (key: KeyObject, about: string, content: string): Buffer =>
    createHmac("sha256", key).update(`${about}\n${content}`).digest();
  return {
    seal(content, about) {
      const seals = secrets
        .slice(0, SEALS_MAX)
        .map((key) => sealOf(key, about, content).toString("base64"));
      return `${seals.join(" ")}\n${content}`;
    },
    open(sealed, about) {
      const end = sealed.indexOf("\n");
      if (end < 0) return null;
      const content = sealed.slice(end + 1);
      const sent = sealed.slice(0, end).split(" ", SEALS_MAX);
      const expected = secrets.map((key) => sealOf(key, about, content));
      const isRight = sent.some((text) => {
        const seal = Buffer.from(text, "base64");
        return seal.length === SEAL_BYTES && expected.some((one) => timingSafeEqual(one, seal));
      });
      return isRight ? content : null;
    },
  };
}
