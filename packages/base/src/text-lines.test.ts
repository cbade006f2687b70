import { describe, expect, test } from "vitest";
import { LineTooLong, textLines } from "./text-lines.ts";

async function linesOf(chunks: AsyncIterable<Uint8Array>, longest?: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of textLines(chunks, longest === undefined ? {} : { longest }))
    lines.push(line);
  return lines;
}

/** The text as bytes, in chunks of this size. */
async function* chunked(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("lines of a file", () => {
  test.each([1, 2, 3, 7, 1000])("lines are the same in chunks of %i bytes", async (size) => {
    const text = "one\n\nzwei é 日本\n\nlast\nunfinished";
    expect(await linesOf(chunked(text, size))).toEqual(["one", "", "zwei é 日本", "", "last"]);
  });

  test("a last line without an end is kept where the reader asks, and other line ends of Unicode end none", async () => {
    const lines: string[] = [];
    const text = "one\u2028still one\n\ntwo\u0085still two";
    for await (const line of textLines(chunked(text, 2), { unfinished: "kept" })) lines.push(line);
    expect(lines).toEqual(["one\u2028still one", "", "two\u0085still two"]);
  });

  test("a line of the max length is accepted, one byte more is rejected", async () => {
    expect(await linesOf(chunked(`${"x".repeat(64)}\ny\n`, 10), 64)).toHaveLength(2);
    await expect(linesOf(chunked(`y\n${"x".repeat(65)}\n`, 10), 64)).rejects.toThrow(LineTooLong);
  });

  test("an endless line is rejected after the max length, and the rest is never read", async () => {
    let read = 0;
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      for (;;) {
        read += 1;
        yield new Uint8Array(1000);
      }
    };
    await expect(linesOf(endless(), 10_000)).rejects.toThrow(LineTooLong);
    expect(read).toBe(11);
  });
});
