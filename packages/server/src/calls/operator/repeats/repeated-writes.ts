import { createHash } from "node:crypto";
import { type RekeyResult, rekey, resealEach, type SecretBox } from "@propgate/access";
import {
  type Chance,
  type Clock,
  createRepeatableCall,
  type Job,
  type RepeatableCall,
  wireJson,
} from "@propgate/base";
import {
  IDEMPOTENCY_HEADER,
  isRecord,
  REPLAYED_HEADER,
  type RepeatedAnswer,
} from "@propgate/contract";
import { unixMs } from "@propgate/core";
import { type Database, UnknownFate } from "@propgate/ledger";
import {
  type BegunWrite,
  createIdempotencyStore,
  type KeptAnswer,
  type SealedWrite,
  type WriteKey,
} from "../../../storage/idempotency-store.ts";
import { parseJsonBody } from "../../json/json-body.ts";
import {
  type FailedReply,
  type JsonReply,
  type RefusedReply,
  type RowKeys,
  refusedReply,
  wrongFieldReply,
} from "../../json/json-reply.ts";
import { storedReply, storedReplyText } from "./stored-reply.ts";

/** How the answer of one write is kept. */
type KeptAnswerKind = Exclude<RepeatedAnswer, "nothing" | { readonly rows: unknown }>;

/** A write with the idempotency key that its client gave it. */
export interface KeyedWrite extends WriteKey {
  readonly method: string;
  /** The path with its query. */
  readonly target: string;
  readonly bodyHash: Uint8Array;
  readonly answer: KeptAnswerKind;
  /** The id in the path; null when the path has none. */
  readonly id: string | null;
}

/** Carries out each write once, however often its client repeats it. @rule D12.repeatedWrites */
export interface RepeatedWrites {
  carryOut(write: KeyedWrite, run: (act: RepeatableCall) => Promise<JsonReply>): Promise<JsonReply>;
  /**
   * Runs a bulk with the keys of its rows. Refuses the bulk when its own key belongs to another request, or to a
   * request that is still being carried out. When the answer is a stream, the end of the stream ends the bulk's key by
   * `RowKeys.end`.
   */
  carryOutRows(
    bulk: Omit<KeyedWrite, "bodyHash">,
    run: (keys: RowKeys) => Promise<JsonReply>,
  ): Promise<JsonReply>;
  /**
   * Seals again, under the newest master key: the seeds of writes that have not ended, and stored answers with a
   * secret.
   * @rule D8.rekey
   */
  rekey(): Promise<RekeyResult>;
  /** The job that deletes idempotency keys after 30 days, and the secrets of answers after 24 hours. */
  readonly jobs: readonly Job[];
}

/** One attempt to carry out a write. The store has begun the write's key for it. */
interface Attempt {
  readonly write: KeyedWrite;
  readonly attempt: string;
  /** True when an earlier attempt may have carried out the write, or a part of it. */
  readonly isRepeat: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEPT_MS = 30 * DAY_MS;
const SECRETS_MS = DAY_MS;
const SEED_BYTES = 32;

interface Options {
  readonly database: Database;
  readonly box: SecretBox;
  readonly chance: Chance;
  readonly clock: Clock;
}

export function createRepeatedWrites(options: Options): RepeatedWrites {
  const { box, chance, clock } = options;
  const store = createIdempotencyStore(options.database);
  /** The ids of the attempts that this process has under way. */
  const running = new Set<string>();
  const before = (ms: number) => unixMs(Math.max(0, clock.now() - ms));

  const begin = (write: KeyedWrite, attempt: string): Promise<BegunWrite> => {
    const seed = Buffer.from(chance.bytes(SEED_BYTES)).toString("base64url");
    return store.begin({
      ...write,
      attempt,
      sealedSeed: box.seal(sealName(write), seed),
      atMs: clock.now(),
      expiredAtMs: before(KEPT_MS),
      running: [...running],
    });
  };
  /**
   * Runs an attempt. `end` returns what to do with its key: the answer to store, `open` for a key that a repetition may
   * use again, or `later` for a key that the end of a stream ends.
   */
  const attemptOnce = async (
    { write, attempt, isRepeat }: Attempt,
    run: () => Promise<JsonReply>,
    end: (reply: JsonReply) => "open" | KeptAnswer | "later",
  ): Promise<JsonReply> => {
    try {
      const reply = await run();
      const ending = end(reply);
      if (typeof ending === "object") await store.end(attempt, write, ending).catch(throwNotStored);
      else if (ending === "open" && NOT_TRIED.has(reply.status) && !isRepeat) {
        await store.release(attempt, write);
      } else if (ending === "open") await store.reopen(attempt, write);
      return reply;
    } catch (cause) {
      // If reopening the key fails too, a repetition may use the key once the store counts this attempt as dead.
      await store.reopen(attempt, write).catch(() => undefined);
      throw cause;
    }
  };

  const carryOut: RepeatedWrites["carryOut"] = async (write, run) => {
    const attempt = chance.uuid();
    running.add(attempt);
    try {
      const begun = await begin(write, attempt);
      if (begun.is !== "begun") return answerOf(begun, write, options);
      const seed = box.open(sealName(write), begun.sealedSeed);
      if (seed === null) return SEED_GONE;
      const { isRepeat } = begun;
      return await attemptOnce(
        { write, attempt, isRepeat },
        () => run(createRepeatableCall(seed, isRepeat)),
        (reply) => (isKept(reply) ? keptAnswer(reply, write, options) : "open"),
      );
    } finally {
      running.delete(attempt);
    }
  };

  return {
    carryOut,
    async carryOutRows(bulk, run) {
      const attempt = chance.uuid();
      // A repetition may send another file, because its rows are compared one by one. @rule D12.rowKeys decides
      const whole = { ...bulk, bodyHash: valueHash("rows") };
      const begun = await begin(whole, attempt);
      if (begun.is === "otherRequest") return MISMATCH;
      if (begun.is !== "begun") return UNDER_WAY;
      const kept = store.keptRows(bulk);
      // A row may await this promise late or never. Without this handler, a rejection of the promise would end the
      // process.
      kept.catch(() => undefined);
      const keys: RowKeys = {
        carryOut: ({ row, value }, runRow) =>
          carryOut({ ...bulk, row, bodyHash: valueHash(value) }, runRow),
        isEnded: async ({ row }) => (await kept).has(row),
        end: () => store.reopen(attempt, whole),
      };
      return attemptOnce(
        { write: whole, attempt, isRepeat: begun.isRepeat },
        () => run(keys),
        (reply) => ("content" in reply ? "later" : "open"),
      );
    },
    rekey: () => rekeyWrites(options),
    jobs: [
      {
        name: "old write keys",
        everyMs: HOUR_MS,
        run: () => store.deleteExpired({ beganMs: before(KEPT_MS), secretsMs: before(SECRETS_MS) }),
      },
    ],
  };
}

function rekeyWrites({ database, box }: Options): Promise<RekeyResult> {
  const store = createIdempotencyStore(database);
  return rekey({
    page: (after: WriteKey | null, limit) => store.sealedPage(after, limit),
    cursorOf: ({ of }) => of,
    reseal: (page) =>
      resealEach(page, {
        nameOf: ({ of }) => sealName(of),
        sealedAnew: (write) => resealedValues(write, box),
        write: (write, sealed) => store.reseal(write, sealed),
      }),
  });
}

function resealedValues(
  { of, seed, answer }: SealedWrite,
  box: SecretBox,
): Pick<SealedWrite, "seed" | "answer"> | "current" | "unreadable" {
  const sealed = [seed, answer];
  if (sealed.every((one) => one === null || box.isCurrent(one))) return "current";
  const name = sealName(of);
  const anew = sealed.map((one) => {
    const text = one === null ? null : box.open(name, one);
    return text === null ? null : box.seal(name, text);
  });
  const [newSeed = null, newAnswer = null] = anew;
  const isRead = anew.every((one, at) => (one === null) === (sealed[at] === null));
  return isRead ? { seed: newSeed, answer: newAnswer } : "unreadable";
}

/** The hash of a body for the comparison of requests. Two bodies are the same when their JSON values are. */
export function bodyHash(raw: unknown): Uint8Array {
  const read = parseJsonBody(raw);
  return read.ok ? valueHash(read.value) : hashOf(`text ${String(raw)}`);
}

function valueHash(value: unknown): Uint8Array {
  return hashOf(`json ${sorted(value)}`);
}

function hashOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/**
 * The statuses of refusals that come before any act. Such a refusal is not kept, and its key is free again unless an
 * earlier attempt may have acted. @rule D12.keptAnswers
 */
const NOT_TRIED: ReadonlySet<number> = new Set([400, 401, 403, 413, 429]);
const KEPT: ReadonlySet<number> = new Set([200, 404, 409]);

type Storable = Exclude<JsonReply, { readonly content: unknown }>;

/** True for an answer that is kept for repetitions; a file never is. @rule D12.keptAnswers decides */
function isKept(reply: JsonReply): reply is Storable {
  return !("content" in reply) && KEPT.has(reply.status);
}

/**
 * The write was carried out, but its answer could not be stored. A repetition completes the write and gets its answer.
 */
function throwNotStored(cause: unknown): never {
  throw new UnknownFate(cause);
}

function keptAnswer(reply: Storable, write: KeyedWrite, { box, clock }: Options): KeptAnswer {
  const kept = { status: reply.status, endedAtMs: clock.now() };
  const answer = storedReplyText(reply);
  if (write.answer === "kept" || !("data" in reply)) {
    return { ...kept, answer, sealed: null, made: null };
  }
  const field = write.answer.sealed;
  const { data } = reply;
  const id = isRecord(data) && field in data ? data[field] : write.id;
  return {
    ...kept,
    answer: null,
    sealed: box.seal(sealName(write), answer),
    made: wireJson({ [field]: id }),
  };
}

/**
 * The name under which a seed or an answer is sealed. So a value that was sealed for one write cannot be opened for
 * another.
 */
function sealName({ caller, key, row }: WriteKey): string {
  return `write ${caller} ${row} ${key}`;
}

/**
 * The answer to a request that is not carried out, because its key is in use or has a stored answer: a refusal, or the
 * stored answer. A stored answer with a secret is returned for 24 hours. @rule D12.keptSecrets decides
 */
function answerOf(
  begun: Exclude<BegunWrite, { readonly is: "begun" }>,
  write: KeyedWrite,
  { box, clock }: Options,
): JsonReply {
  if (begun.is === "otherRequest") return MISMATCH;
  if (begun.is === "underWay") return UNDER_WAY;
  const { status, answer, sealed, made, endedAtMs } = begun;
  const isOld = clock.now() - endedAtMs >= SECRETS_MS;
  const text = answer ?? (sealed === null || isOld ? null : box.open(sealName(write), sealed));
  return text === null ? secretGone(made) : replayed(storedReply(status, text));
}

const REPLAYED = { [REPLAYED_HEADER]: "true" };

/** True for the stored answer of an earlier attempt. The request that gets it was not carried out. */
export function isReplayed(reply: JsonReply | FailedReply): boolean {
  return "headers" in reply && reply.headers?.[REPLAYED_HEADER] !== undefined;
}

function replayed(reply: JsonReply): JsonReply {
  return { ...reply, headers: REPLAYED };
}

const MISMATCH: RefusedReply = {
  ...wrongFieldReply(
    IDEMPOTENCY_HEADER,
    "was used for another request; give each request a key of its own",
    409,
  ),
  code: "idempotency_mismatch",
};

const UNDER_WAY: RefusedReply = {
  ...refusedReply("The first request with that key is under way; repeat this later"),
  code: "idempotency_in_progress",
  headers: { "Retry-After": "1" },
};

const SEED_GONE: RefusedReply = refusedReply(
  "The write was begun under a master key that the service no longer has; look whether it was carried out, and use another key",
);

function secretGone(made: string | null): RefusedReply {
  const details: unknown = made === null ? {} : JSON.parse(made);
  const ids = isRecord(details) ? details : {};
  return {
    ...refusedReply("The first answer had a secret, which is kept for 24 hours; make another one"),
    code: "idempotency_secret_gone",
    details: Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)])),
  };
}
