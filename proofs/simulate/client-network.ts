import type { HttpExchange, RequestOutcome, Turn } from "./checker.ts";
import type { Chronicle } from "./chronicle.ts";
import type { ClientRequest } from "./clients.ts";
import type { Faults } from "./faults.ts";
import type { NodeAnswer, NodeRequest, SimulatedNode } from "./node/simulated-node.ts";
import type { OperatorTask } from "./operator-task.ts";
import type { RandomDraw } from "./random-draw.ts";

/** The network between clients and nodes. It loses, delays and repeats requests and answers. */
export interface ClientNetwork {
  /** The number of requests on their way to nodes that are not paused. */
  readonly requestsInTransit: number;
  /** The number of answers that are late, on their way to a client. */
  readonly lateAnswers: number;
  /** The number of requests without an outcome yet. */
  readonly inFlight: number;
  send(request: ClientRequest, node: number, replayOf?: number | null): void;
  sendTask(task: OperatorTask, node: number): void;
  /** Sends an earlier request again, byte for byte. False when there is none. */
  replay(node: number): boolean;
  /**
   * Sends one of the last orders or calls of the dead man's switch again this many times, each time to a random node.
   */
  repeat(times: number): void;
  /** Delivers one or more requests on their way, in random order. */
  deliver(): void;
  /** Delivers a random late answer to its client. */
  answer(): void;
  /** Ends all requests that are inside a node which has died. */
  cut(node: number): void;
  /** Returns the exchanges that ended since `takeEnded` was last called. */
  takeEnded(): readonly HttpExchange[];
  readonly statuses: Readonly<Record<string, number>>;
}

interface RequestInFlight {
  readonly node: number;
  readonly sentTurn: Turn;
  readonly request: NodeRequest;
  stage: "coming" | "inside" | "going" | "over";
  answer: NodeAnswer | null;
  /** Ends the request with its answer; null when the answer is lost. */
  end(answer: NodeAnswer | null): void;
}

const LOST_RATE = 0.01;
const LATE_RATE = 0.02;
const TWICE_RATE = 0.01;
const PAST_MAX = 400;
/** The number of most recent requests from which repeats are drawn. The timestamps of older ones would be refused. */
const REPEATABLE_MAX = 40;

export function createClientNetwork(need: {
  readonly draw: RandomDraw;
  readonly faults: Faults;
  readonly chronicle: Chronicle;
  readonly nodes: readonly SimulatedNode[];
  readonly nowMs: () => number;
  readonly onEnd: (exchange: HttpExchange) => void;
  /** Called for the answer of a node to each request, before the network may lose or delay it. */
  readonly onAnswer: (
    flight: { readonly node: number; readonly sentTurn: Turn },
    answer: NodeAnswer,
  ) => void;
}): ClientNetwork {
  const { draw, faults, chronicle, nodes } = need;
  const flights = new Set<RequestInFlight>();
  const past: { readonly id: number; readonly request: ClientRequest }[] = [];
  const statuses: Record<string, number> = {};
  let ended: HttpExchange[] = [];
  let ids = 0;

  const at = (stage: RequestInFlight["stage"]): readonly RequestInFlight[] =>
    [...flights].filter((flight) => flight.stage === stage);
  const coming = (): readonly RequestInFlight[] =>
    at("coming").filter(({ node }) => nodes[node]?.isPaused !== true);
  const launch = (node: number, request: NodeRequest, end: RequestInFlight["end"]): void => {
    const flight: RequestInFlight = {
      node,
      sentTurn: chronicle.turn,
      request,
      stage: "coming",
      answer: null,
      end(answer) {
        if (flight.stage === "over") return;
        flight.stage = "over";
        flights.delete(flight);
        end(answer);
      },
    };
    flights.add(flight);
    if (faults.strikes("network", "network.requestLost", LOST_RATE)) flight.end(null);
  };
  const arrive = async (flight: RequestInFlight): Promise<void> => {
    flight.stage = "inside";
    const node = nodes[flight.node];
    const answer = (await node?.serve(flight.request)) ?? null;
    if (flight.stage !== "inside") return;
    if (answer !== null) need.onAnswer(flight, answer);
    flight.answer = answer;
    if (answer === null || faults.strikes("network", "network.answerLost", LOST_RATE)) {
      flight.end(null);
    } else if (faults.strikes("network", "network.answerLate", LATE_RATE)) flight.stage = "going";
    else flight.end(answer);
  };
  const send: ClientNetwork["send"] = (request, node, replayOf = null) => {
    ids += 1;
    const id = ids;
    const { accountId, keyId, nonce, call } = request;
    const sent = { id, node, accountId, keyId, nonce, replayOf, call };
    const sentTurn = chronicle.next();
    const sentAtMs = need.nowMs();
    chronicle.note("sent", id, node, replayOf ?? "-", request.method, request.target, request.body);
    chronicle.note("signed", JSON.stringify(request.headers));
    if (replayOf === null) past.push({ id, request });
    if (past.length > PAST_MAX) past.shift();
    launch(node, request, (answer) => {
      const outcome = outcomeOf(answer, { turn: chronicle.next(), atMs: need.nowMs() });
      const word = answer === null ? "lost" : String(answer.status);
      statuses[word] = (statuses[word] ?? 0) + 1;
      chronicle.note("ended", id, word, answer?.text ?? "");
      const exchange: HttpExchange = { ...sent, sentTurn, sentAtMs, outcome };
      ended.push(exchange);
      need.onEnd(exchange);
    });
  };

  return {
    statuses,
    get requestsInTransit() {
      return coming().length;
    },
    get lateAnswers() {
      return at("going").length;
    },
    get inFlight() {
      return flights.size;
    },
    send(request, node, replayOf) {
      send(request, node, replayOf);
      // The network delivers some requests twice, the second time to a random node.
      if (!faults.strikes("network", "network.twice", TWICE_RATE)) return;
      send(request, draw.below(nodes.length), ids);
    },
    sendTask(task, node) {
      chronicle.next();
      chronicle.note("operator", node, task.request.method, task.request.target, task.request.body);
      launch(node, task.request, (answer) => {
        chronicle.next();
        chronicle.note("operatorEnded", answer?.status ?? "lost", answer?.text ?? "");
        if (answer !== null) task.receive(answer);
      });
    },
    replay(node) {
      if (past.length === 0) return false;
      const { id, request } = draw.pick(past);
      send(request, node, id);
      return true;
    },
    repeat(times) {
      const heard = past
        .slice(-REPEATABLE_MAX)
        .filter(({ request }) => request.call.kind !== "read");
      if (heard.length === 0) return;
      const { id, request } = draw.pick(heard);
      for (let left = times; left > 0; left -= 1) send(request, draw.below(nodes.length), id);
    },
    deliver() {
      const flights = [...coming()];
      for (let left = 1 + draw.below(flights.length); left > 0; left -= 1) {
        const [flight] = flights.splice(draw.below(flights.length), 1);
        if (flight !== undefined) void arrive(flight);
      }
    },
    answer() {
      const flight = draw.pick(at("going"));
      flight.end(flight.answer);
    },
    cut(node) {
      for (const flight of at("inside")) if (flight.node === node) flight.end(null);
    },
    takeEnded() {
      const taken = ended;
      ended = [];
      return taken;
    },
  };
}

function outcomeOf(
  answer: NodeAnswer | null,
  when: { readonly turn: Turn; readonly atMs: number },
): RequestOutcome {
  if (answer === null) return { kind: "lost", turn: when.turn };
  return { kind: "answered", ...when, status: answer.status, body: bodyOf(answer.text) };
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
