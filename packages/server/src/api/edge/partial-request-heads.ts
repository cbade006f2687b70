import type { Socket } from "node:net";
import type { RequestLine } from "./refusals.ts";

/**
 * The number of bytes of a head that are kept: more than the request line of any endpoint that changes an account, with
 * the longest host and without a query.
 */
const KEPT_BYTES = 512;
const HEAD_END = "\r\n\r\n";

/**
 * The first bytes of the requests whose headers are still arriving. Node reports nothing about a request before its
 * headers are complete, and the answer to one that never completes depends on its request line.
 */
export interface PartialRequestHeads {
  /** Call this with all bytes of a connection that do not belong to a body, before the bytes are parsed. */
  add(socket: Socket, bytes: Buffer): void;
  /**
   * Call this when the headers of a request are complete. After a request without a body, the same bytes may contain
   * the beginning of the next request.
   */
  complete(socket: Socket, hasBody: boolean): void;
  /**
   * The request line of the request that is arriving; null when the line is not complete. The query of a long line may
   * be cut.
   */
  lineOf(socket: object): RequestLine;
}

export function createPartialRequestHeads(): PartialRequestHeads {
  const heads = new WeakMap<object, string>();
  const last = new WeakMap<object, Buffer>();
  const keep = (socket: Socket, begun: string, bytes: Buffer): void => {
    if (begun.length < KEPT_BYTES) {
      heads.set(socket, begun + bytes.toString("latin1", 0, KEPT_BYTES - begun.length));
    }
  };
  return {
    add(socket, bytes) {
      last.set(socket, bytes);
      keep(socket, heads.get(socket) ?? "", bytes);
    },
    complete(socket, hasBody) {
      const bytes = last.get(socket);
      const headEnd = bytes === undefined || hasBody ? -1 : bytes.lastIndexOf(HEAD_END);
      if (bytes === undefined || headEnd < 0) heads.delete(socket);
      else keep(socket, "", bytes.subarray(headEnd + HEAD_END.length));
    },
    lineOf(socket) {
      const head = heads.get(socket) ?? "";
      const [, method, target, end] = /^\s*(\S+) (\S+)(\s?)/.exec(head) ?? [];
      if (method === undefined || target === undefined) return null;
      const isCutInQuery = head.length === KEPT_BYTES && /[?#]/.test(target);
      return end === "" && !isCutInQuery ? null : { method, target };
    },
  };
}
