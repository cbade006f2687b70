/** The firm's calls of the operator's interface. Every write has an idempotency key, and is sent twice. */
import assert from "node:assert/strict";

export interface Operator {
  /** Resolves with the `data` of a read. */
  readonly read: <Data>(path: string) => Promise<Data>;
  /** Resolves with the text of a file, or of an answer without `success` and `data`. */
  readonly file: (path: string) => Promise<string>;
  /** Resolves with the `data` of a write. `key` identifies the write, such as the number of a sale or payment. */
  readonly write: <Data>(path: string, write: Write) => Promise<Data>;
  /** Carries out a bulk. Resolves with the `data` of each row, in the order of the rows. */
  readonly bulk: <Data>(path: string, rows: readonly object[], key: string) => Promise<Data[]>;
  /** The number of writes that were repeated and got their first answer again. */
  readonly repeated: () => number;
}

interface Write {
  readonly key: string;
  readonly body: object;
}

interface Answer {
  readonly status: number;
  readonly isReplayed: boolean;
  readonly text: string;
}

interface Row<Data> {
  readonly row: number;
  readonly status: number;
  readonly data: Data;
}

/**
 * The maximum number of tries of a write. A 503 does not say whether the write was carried out, and another try with
 * the same key is safe.
 */
const TRIES_MAX = 3;

export function createOperator(at: {
  readonly operatorUrl: string;
  readonly operatorToken: string;
}): Operator {
  let repeated = 0;
  const send = async (method: string, path: string, sent: Sent | null): Promise<Answer> => {
    const response = await fetch(`${at.operatorUrl}/operator/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${at.operatorToken}`,
        ...(sent === null ? {} : { "Content-Type": sent.type, "Idempotency-Key": sent.key }),
      },
      ...(sent === null ? {} : { body: sent.body }),
    });
    const isReplayed = response.headers.get("Idempotent-Replayed") === "true";
    return { status: response.status, isReplayed, text: await response.text() };
  };
  const once = async (path: string, sent: Sent): Promise<Answer> => {
    let answer = await send("POST", path, sent);
    for (let tries = 1; answer.status === 503 && tries < TRIES_MAX; tries += 1) {
      answer = await send("POST", path, sent);
    }
    assert.equal(answer.status, 200, `${path} ${answer.text}`);
    return answer;
  };
  /** Sends every write twice, like a client that crashed before it stored the answer. */
  const twice = async (path: string, sent: Sent): Promise<string> => {
    const first = await once(path, sent);
    const second = await once(path, sent);
    assert.equal(second.isReplayed, true, `${path} acted twice`);
    assert.equal(second.text, first.text);
    repeated += 1;
    return first.text;
  };
  const get = async (path: string): Promise<string> => {
    const { status, text } = await send("GET", path, null);
    assert.equal(status, 200, `${path} ${text}`);
    return text;
  };
  return {
    read: async (path) => JSON.parse(await get(path)).data,
    file: get,
    async write(path, { key, body }) {
      const text = await twice(path, { key, body: JSON.stringify(body), type: "application/json" });
      return JSON.parse(text).data;
    },
    async bulk<Data>(path: string, rows: readonly object[], key: string) {
      const body = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
      const text = await twice(path, { key, body, type: "application/x-ndjson" });
      const lines = text.trimEnd().split("\n");
      return lines.map((line) => {
        const { status, data }: Row<Data> = JSON.parse(line);
        assert.equal(status, 200, line);
        return data;
      });
    },
    repeated: () => repeated,
  };
}

interface Sent {
  readonly key: string;
  readonly body: string;
  readonly type: string;
}
