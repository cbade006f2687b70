/** A frame of a stream, as it was read. */
export interface Frame {
  /** The cursor; null for a frame without one. */
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Cuts the bytes of a stream into frames, however the network has divided them. A frame without its end is dropped. */
export async function* framesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of pieces) {
    text += decoder.decode(piece, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) yield frameOf(block);
  }
}

function frameOf(block: string): Frame {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const colon = line.indexOf(": ");
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  const [event = "", data = ""] = [fields.get("event"), fields.get("data")];
  return { id: fields.get("id") ?? null, event, data };
}
