import assert from "node:assert/strict";
import { parseCancelAllAfter, REQUEST_EXAMPLES } from "@propgate/contract";
import fc from "fast-check";
import type { Signer } from "../../../packages/server/src/testing/signed-request.ts";
import { createFuzzSuite, type FuzzSuite } from "../fuzz-suite.ts";
import type { FuzzedService } from "../fuzzed-service.ts";
import {
  anyJsonValue,
  editedJsonText,
  isScalarAt,
  jsonPathsOf,
  notStringOrNumber,
  withValueAt,
} from "../mutated-json.ts";
import { errorTextOf } from "../output-checker.ts";
import { rawRequestText, utf8AsLatin1 } from "../raw-request.ts";

const ORDERS = "/api/v1/trading/orders";
const SWITCH = "/api/v1/trading/cancel-all-after";
const PREVIEW = "/api/v1/trading/preview";
/** The end of the error text for a preview of an order type that has no preview. */
const NOT_PREVIEWED = " here";
const examples = fc.constantFrom(...Object.values(REQUEST_EXAMPLES));

/** An example and one path below its `trade`. */
const places = examples.chain((example) =>
  fc.constantFrom(...jsonPathsOf(example).filter((path) => path.length > 1)).map((path) => ({
    example,
    path,
  })),
);

/**
 * Any values in any fields of any order get a known status, and the preview gets the same refusal as the order.
 * @rule D2.body S7.400 D9.preview
 */
export function orderValuesSuite(world: FuzzedService): FuzzSuite {
  const replaced = fc.array(fc.tuple(fc.nat(), anyJsonValue), { minLength: 1, maxLength: 3 });
  return createFuzzSuite({
    name: "any value in any field of every kind of order",
    defaultRuns: 500,
    inputs: fc.tuple(examples, replaced).map(([example, changes]) =>
      changes.reduce<unknown>((document, [index, value]) => {
        const paths = jsonPathsOf(document);
        return withValueAt(document, paths[index % paths.length] ?? [], value);
      }, example),
    ),
    async try(document) {
      const signer = await world.trader();
      const text = JSON.stringify(document);
      const preview = await post(world, text, { signer, target: PREVIEW });
      const answer = await post(world, text, { signer });
      world.checker.endpoint("previewOrder", preview);
      world.checker.endpoint("placeOrder", answer);
      if (preview.status === 400 && errorTextOf(preview).endsWith(NOT_PREVIEWED)) return;
      assert.equal(preview.status, answer.status, `${preview.body} instead of ${answer.body}`);
      if (answer.status !== 200) assert.equal(preview.body, answer.body);
    },
  });
}

/** A value of the wrong type gets a 400 that names its field. @rule S7.400 */
export function wrongTypesSuite(world: FuzzedService): FuzzSuite {
  return createFuzzSuite({
    name: "a wrong type in each field of every kind of order",
    defaultRuns: 300,
    inputs: fc.tuple(
      places.filter(({ example, path }) => isScalarAt(example, path)),
      notStringOrNumber,
    ),
    async try([{ example, path }, value]) {
      const document = withValueAt(example, path, value);
      const answer = await post(world, JSON.stringify(document));
      world.checker.endpoint("placeOrder", answer);
      assert.equal(answer.status, 400, answer.body);
      const field = path.findLast((part) => typeof part === "string") ?? "";
      assert.ok(errorTextOf(answer).includes(`'${field}'`), `${field}: ${answer.body}`);
    },
  });
}

/** Bodies that are invalid or ambiguous JSON get a known status, and invalid JSON is never accepted. @rule D2.body */
export function brokenBodiesSuite(world: FuzzedService): FuzzSuite {
  return createFuzzSuite({
    name: "bodies of invalid or ambiguous JSON",
    defaultRuns: 300,
    inputs: examples.chain((example) => editedJsonText(JSON.stringify(example))),
    async try(text) {
      const answer = await post(world, text);
      world.checker.endpoint("placeOrder", answer);
      // The service's JSON parser ignores a byte order mark, which the JSON standard allows.
      const plain = text.replace(/^\ufeff/, "");
      if (answer.status === 200) assert.doesNotThrow(() => JSON.parse(plain), text);
    },
  });
}

/** Any body of the dead man's switch gets a known status, and only a valid one arms it. @rule D9.cancelAllAfter */
export function switchBodiesSuite(world: FuzzedService): FuzzSuite {
  return createFuzzSuite({
    name: "any value in the fields of the dead man's switch",
    defaultRuns: 200,
    inputs: fc.record(
      {
        seconds: fc.oneof(fc.integer({ min: -1, max: 86_402 }), anyJsonValue),
        action: fc.oneof(fc.constantFrom("cancel", "flatten"), anyJsonValue),
      },
      { requiredKeys: [] },
    ),
    async try(body) {
      const answer = await post(world, JSON.stringify(body), { target: SWITCH });
      world.checker.endpoint("cancelAllAfter", answer);
      const isSound = parseCancelAllAfter(body).ok;
      assert.equal(answer.status, isSound ? 200 : 400, answer.body);
    },
  });
}

async function post(
  world: FuzzedService,
  text: string,
  by: { readonly signer?: Signer; readonly target?: string } = {},
) {
  const signer = by.signer ?? (await world.trader());
  const body = utf8AsLatin1(text);
  const request = { method: "POST", target: by.target ?? ORDERS, body, nonce: world.nextNonce() };
  const headers = Object.entries(world.headers(signer, request));
  return world.exchange(rawRequestText({ ...request, headers }));
}
