import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { readAhead } from "./read-ahead.ts";

const piece = (text: string): Uint8Array => Buffer.from(text);

describe("a file that is read ahead of its reader [D12.listFile]", () => {
  test("a file read ahead has all pieces in order, also when its reader comes later", async () => {
    const isRead = Promise.withResolvers<boolean>();
    const content = await readAhead(
      (async function* () {
        for (let n = 0; n < 500; n += 1) yield piece(`${n},`);
        isRead.resolve(true);
      })(),
    );
    await isRead.promise;
    let text = "";
    for await (const one of content) text += Buffer.from(one).toString();
    expect(text).toBe(Array.from({ length: 500 }, (_, n) => `${n},`).join(""));
  });

  test("a source that fails before its first piece rejects, so it can be answered with an error", async () => {
    const failing = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("no rows")) }),
    };
    await expect(readAhead(failing)).rejects.toThrow("no rows");
  });

  test("a source that fails later ends the file with its error, after what it had", async () => {
    const content = await readAhead(
      (async function* () {
        yield piece("a");
        yield piece("b");
        throw new Error("cut");
      })(),
    );
    const seen: string[] = [];
    const reading = (async () => {
      for await (const one of content) seen.push(Buffer.from(one).toString());
    })();
    await expect(reading).rejects.toThrow("cut");
    expect(seen).toEqual(["a", "b"]);
  });

  test("a reader that goes away ends the source", async () => {
    const ended = Promise.withResolvers<number>();
    let made = 0;
    const content = await readAhead(
      (async function* () {
        try {
          for (;;) {
            made += 1;
            yield piece(String(made));
          }
        } finally {
          ended.resolve(made);
        }
      })(),
    );
    for await (const _ of content) break;
    expect(await ended.promise).toBeGreaterThan(0);
  });

  test("a reader that goes away before its first piece ends the source", async () => {
    const ended = Promise.withResolvers<boolean>();
    const content = await readAhead(
      (async function* () {
        try {
          for (;;) yield piece("a");
        } finally {
          ended.resolve(true);
        }
      })(),
    );
    Readable.from(content, { objectMode: false }).destroy();
    expect(await ended.promise).toBe(true);
  });
});
