import { createHash } from "node:crypto";
import { type OrderUuid, orderUuid } from "@propgate/core";
import type { OrderRequestId } from "@propgate/ledger";

/** The namespace of the ids that this service gives to orders. It must never change, because the ids depend on it. */
const ORDER_NAMESPACE = "5f0c9a34-7d1e-4b7a-9a52-c41f6de08b93";

const UUID_BYTES = 16;
const VERSION_BYTE = 6;
const VARIANT_BYTE = 8;

/** The id of a request's order: the same key and nonce always give the same id. */
export function requestOrderUuid({ keyId, nonce }: OrderRequestId): OrderUuid {
  return orderUuid(nameUuid(ORDER_NAMESPACE, `${keyId}\n${nonce}`));
}

/** The UUID, version 5, of a name in a namespace: RFC 9562, section 5.5. */
export function nameUuid(namespace: string, name: string): string {
  const seed = Buffer.from(namespace.replaceAll("-", ""), "hex");
  const hashed = createHash("sha1").update(seed).update(name, "utf8").digest();
  const bytes = hashed.subarray(0, UUID_BYTES);
  bytes.writeUInt8((bytes.readUInt8(VERSION_BYTE) & 0x0f) | 0x50, VERSION_BYTE);
  bytes.writeUInt8((bytes.readUInt8(VARIANT_BYTE) & 0x3f) | 0x80, VARIANT_BYTE);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
