import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";

/**
 * Seals messages between nodes. A seal is an HMAC of the message; the content stays readable. Only a node with a master
 * key of the installation can make a seal, so a program that can merely publish on NATS cannot place orders or invent
 * prices. `about` is covered by the seal but not sent: a message that was sealed for one subject is not valid under
 * another.
 */
export interface MessageSeal {
  /** Returns a line with the seals, followed by the content. */
  seal(content: string, about: string): string;
  /** Returns the content; null when no seal is right. */
  open(sealed: string, about: string): string | null;
}

/**
 * Maximum number of seals of a message. A node with an old and a new master key makes a seal with each, for nodes that
 * have only one of them.
 */
const SEALS_MAX = 8;
const SEAL_BYTES = 32;

/** Makes the `MessageSeal` of an installation. `keys` has one key for each master key, at least one. */
export function createMessageSeal(keys: readonly Uint8Array[]): MessageSeal {
  // Key objects are made once: making one for each message would cost five times as much as its seal.
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
