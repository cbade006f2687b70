import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { until } from "../../../../../test/eventually.ts";
import { piecesWithEnd } from "./pieces-with-end.ts";

async function* two(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("a");
  yield Buffer.from("b");
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("a");
  throw new Error("cut");
}

function counted(pieces: AsyncIterable<Uint8Array>) {
  const ends = { count: 0 };
  const content = piecesWithEnd(pieces, () => {
    ends.count += 1;
  });
  return { ends, content };
}

test.each([undefined, new Error("the client is gone")])(
  "pieces end when their stream is destroyed before its first read, with %s",
  async (cause) => {
    const { ends, content } = counted(two());
    const stream = Readable.from(content, { objectMode: false });
    stream.on("error", () => undefined);
    stream.destroy(cause);
    await until(() => ends.count === 1);
  },
);

test("pieces end once after the last one", async () => {
  const { ends, content } = counted(two());
  let text = "";
  for await (const piece of content) text += Buffer.from(piece).toString();
  expect([text, ends.count]).toEqual(["ab", 1]);
});

test("pieces end once when their reader stops early", async () => {
  const { ends, content } = counted(two());
  for await (const _ of content) break;
  expect(ends.count).toBe(1);
});

test("pieces end once when their source fails, with its error", async () => {
  const { ends, content } = counted(failing());
  const reading = (async () => {
    for await (const _ of content) void _;
  })();
  await expect(reading).rejects.toThrow("cut");
  expect(ends.count).toBe(1);
});
