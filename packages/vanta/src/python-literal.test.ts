import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryCharacter } from "../../../test/environment/arbitrary-character.ts";
import { propertySettings, scaledCount } from "../../../test/environment/depth.ts";
import { TEST_MAX_MS } from "../../../test/environment/test-max-ms.ts";
import {
  LITERAL_BOUNDS,
  type Literal,
  type LiteralReading,
  readLiteral,
} from "./python-literal.ts";

const python = (text: string): LiteralReading =>
  readLiteral(text, { dialect: "python", charactersMax: 2_000_000 });
const json = (text: string): LiteralReading =>
  readLiteral(text, { dialect: "json", charactersMax: 2_000_000 });

const PUNCTUATION = "{ } [ ] ( ) , : ' \" \\ u n 1 - . e E t f".split(" ");

/** The value with ordinary objects in place of those without a prototype, for comparisons. */
function plain(value: Literal): unknown {
  return JSON.parse(JSON.stringify(value));
}

function outcome(reading: LiteralReading): unknown {
  return reading.ok ? plain(reading.value) : reading.problem;
}

describe("a literal of Python", () => {
  test.each<readonly [string, unknown]>([
    ["None", null],
    ["True", true],
    ["False", false],
    ["0", 0],
    ["-12", -12],
    ["1e-05", 0.00001],
    ["1.5e+16", 15_000_000_000_000_000],
    ["''", ""],
    ['"it\'s"', "it's"],
    ["'say \"hi\"'", 'say "hi"'],
    [String.raw`'both \' and "'`, "both ' and \""],
    [String.raw`'\\ \' \" \n \r \t \a \b \f \v'`, "\\ ' \" \n \r \t \x07 \b \f \v"],
    [String.raw`'\x00\x7f\xe9\u20ac\U0001f600'`, "\x00\x7fé€😀"],
    [String.raw`'\0\12\101\3777'`, "\0\nAÿ7"],
    ["[]", []],
    ["()", []],
    ["(1,)", [1]],
    ["(1, 'a', None)", [1, "a", null]],
    ["{}", {}],
    ["{'a': [1, {'b': (True, False)}]}", { a: [1, { b: [true, false] }] }],
    [" \t\r\n{ 'a' : 1 , 'b' : 2 } ", { a: 1, b: 2 }],
  ])("%s is read", (text, value) => {
    expect(outcome(python(text))).toEqual(value);
  });

  test.each<readonly [string, string]>([
    ["", "the text ends where a value is expected at character 0"],
    ["{'a': 1, 'a': 2}", "duplicate key at character 13 ('a')"],
    ["{'a': {'b': 1, 'b': 1}}", "duplicate key at character 19 ('a.b')"],
    ["{'a': nan}", "a number is not finite at character 6 ('a')"],
    ["[1, -inf]", "a number is not finite at character 4 ('[1]')"],
    ["[1e999]", "a number is not finite at character 1 ('[0]')"],
    [`[${"9".repeat(400)}]`, "a number has more than 64 characters at character 1 ('[0]')"],
    ["01", "invalid number at character 0"],
    ["0x10", "invalid number at character 0"],
    ["1_000", "invalid number at character 0"],
    ["1j", "invalid number at character 0"],
    ["1.", "invalid number at character 0"],
    ["+1", "expected a value at character 0"],
    ["null", "a name ('null') is not a literal at character 0"],
    ["{'a': true}", "a name ('true') is not a literal at character 6 ('a')"],
    [
      "{'t': datetime.datetime(2026, 1, 1)}",
      "a call ('datetime.datetime') is not a literal at character 6 ('t')",
    ],
    ["set()", "a call ('set') is not a literal at character 0"],
    [
      "{'t': <OrderType.LONG: 1>}",
      "an object in angle brackets is not a literal at character 6 ('t')",
    ],
    ["OrderType.LONG", "a name ('OrderType.LONG') is not a literal at character 0"],
    ["b'abc'", "bytes are not supported at character 0"],
    ["Rb'abc'", "bytes are not supported at character 0"],
    ["u'abc'", "a string with a prefix is not supported at character 0"],
    ["f'{x}'", "a string with a prefix is not supported at character 0"],
    ["['a' 'b']", "strings that follow each other are not supported at character 5 ('[0]')"],
    ["'''a'''", "strings that follow each other are not supported at character 2"],
    [String.raw`'\N{BULLET}'`, "an escape by a character's name is not supported at character 1"],
    [String.raw`'\q'`, "invalid escape at character 1"],
    [String.raw`'\x4'`, "invalid escape at character 1"],
    [String.raw`'\u12g4'`, "invalid escape at character 1"],
    [String.raw`'\U00110000'`, "invalid escape at character 1"],
    [String.raw`'\400'`, "invalid escape at character 1"],
    [String.raw`'\ud800'`, "a string is not valid Unicode at character 0"],
    ["'a\\\nb'", "invalid escape at character 2"],
    ["'a\nb'", "a control character at character 2"],
    ["'abc", "a string is not closed at character 0"],
    [String.raw`'abc\'`, "a string is not closed at character 0"],
    ["(1)", "a tuple of one value needs a comma at character 2"],
    ["(1, 2,)", "expected a value at character 6 ('[2]')"],
    ["[1,]", "expected a value at character 3 ('[1]')"],
    ["[1 2]", "expected ',' or ']' at character 3"],
    ["{'a': 1,}", "expected a string as key at character 8"],
    ["{1: 2}", "expected a string as key at character 1"],
    ["{'a'}", "expected ':' at character 4"],
    ["{'a': 1", "expected ',' or '}' at character 7"],
    ["{'a': 1} x", "unexpected text at character 9"],
    ["1 + 1", "unexpected text at character 2"],
  ])("%s is rejected with its place", (text, problem) => {
    expect(outcome(python(text))).toBe(problem);
  });
});

describe("a value of JSON", () => {
  test.each<readonly [string, unknown]>([
    ["null", null],
    ["[true, false, -0.5e-3]", [true, false, -0.0005]],
    [String.raw`"\" \\ \/ \b \f \n \r \t \u00e9 \ud83d\ude00"`, '" \\ / \b \f \n \r \t é 😀'],
    ['{"a":{"b":[{}]}}', { a: { b: [{}] } }],
    ['"\x7f it\'s"', "\x7f it's"],
  ])("%s is read", (text, value) => {
    expect(outcome(json(text))).toEqual(value);
  });

  test.each<readonly [string, string]>([
    ["{'a': 1}", "expected a string as key at character 1"],
    ["'a'", "expected a value at character 0"],
    ["(1,)", "expected a value at character 0"],
    ["None", "a name ('None') is not a literal at character 0"],
    ['{"a": NaN}', "a number is not finite at character 6 ('a')"],
    ["-Infinity", "a number is not finite at character 0"],
    ['{"a":1,"\\u0061":2}', "duplicate key at character 16 ('a')"],
    [String.raw`"\x41"`, "invalid escape at character 1"],
    [String.raw`"\'"`, "invalid escape at character 1"],
    [String.raw`"\ud800"`, "a string is not valid Unicode at character 0"],
    ['"a\tb"', "a control character at character 2"],
    ["\uFEFF{}", "expected a value at character 0"],
    ["{} {}", "unexpected text at character 3"],
    ['"a" "b"', "unexpected text at character 4"],
  ])("%s is rejected with its place", (text, problem) => {
    expect(outcome(json(text))).toBe(problem);
  });

  test("every JSON document is read as JSON.parse reads it", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6, noUnicodeString: false }), (text) => {
        fc.pre(text.isWellFormed() && !/\\u[dD][89a-fA-F]/.test(text));
        expect(outcome(json(text))).toEqual(JSON.parse(text));
      }),
      propertySettings(500),
    );
  });

  test("no text makes the reader throw, and what it accepts JSON.parse accepts", () => {
    const pieces = fc.constantFrom(...PUNCTUATION, "null", "true", '"a"', "NaN", " ");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join("");
        const reading = json(text);
        if (reading.ok) expect(plain(reading.value)).toEqual(JSON.parse(text));
        python(text);
      }),
      propertySettings(10_000),
    );
  });
});

describe("the bounds of a literal", () => {
  test("32 levels are read and 33 are rejected", () => {
    const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
    expect(python(nested(LITERAL_BOUNDS.depthMax)).ok).toBe(true);
    expect(outcome(python(nested(33)))).toMatch(/^more than 32 levels at character 32/);
    expect(outcome(python("(".repeat(100_000)))).toMatch(/^more than 32 levels/);
    expect(outcome(json('{"a":'.repeat(100_000)))).toMatch(/^more than 32 levels/);
  });

  test("a text with more characters than allowed is rejected unread", () => {
    const short = { dialect: "json", charactersMax: 4 } as const;
    expect(readLiteral("1234", short).ok).toBe(true);
    expect(outcome(readLiteral("12345", short))).toBe("text has more than 4 characters");
  });

  test("a text of more than half a million values is rejected", () => {
    expect(outcome(json(`[${"0,".repeat(500_000)}0]`))).toMatch(/^more than 500000 values/);
  });

  test("the names of an object's prototype are ordinary keys", () => {
    const reading = python("{'__proto__': {'polluted': 1}, 'constructor': 2}");
    if (!reading.ok) throw new Error(reading.problem);
    expect(Object.getPrototypeOf(reading.value)).toBeNull();
    expect(Object.keys(reading.value ?? {})).toEqual(["__proto__", "constructor"]);
    expect(Object.hasOwn({}, "polluted")).toBe(false);
  });

  test("a key in a problem is cut to 64 characters", () => {
    const key = "k".repeat(10_000);
    expect(outcome(python(`{'${key}': nan}`))).toHaveLength(
      "a number is not finite at character 10006 ('…')".length + 64,
    );
  });
});

/** Runs a program of Python; null when the machine has no Python 3. */
function runPython(program: string, input: string): string | null {
  const run = spawnSync("python3", ["-c", program], {
    input,
    encoding: "utf8",
    env: { ...PYTHON_ENVIRONMENT },
    timeout: TEST_MAX_MS,
    maxBuffer: 64_000_000,
  });
  if (run.error !== undefined) return null;
  if (run.status !== 0) throw new Error(`python3 failed: ${run.stderr}`);
  return run.stdout;
}

const PYTHON_ENVIRONMENT = { PYTHONIOENCODING: "utf-8", PATH: "/usr/local/bin:/usr/bin:/bin" };

/** A program that prints the `repr` of every line of JSON. A list below the key "tuple" becomes a tuple. */
const REPRS = `
import json, sys
def made(value):
    if isinstance(value, dict):
        return {k: tuple(map(made, v)) if k == "tuple" and isinstance(v, list) else made(v) for k, v in value.items()}
    if isinstance(value, list):
        return [made(v) for v in value]
    return value
for line in sys.stdin:
    print(json.dumps(repr(made(json.loads(line)))))
`;

/**
 * A program that evaluates the literal in every line, which is a JSON string; it prints "refused" when Python refuses
 * it.
 */
const EVALUATED = `
import ast, json, sys, warnings
warnings.simplefilter("error")
for line in sys.stdin:
    try:
        print(json.dumps({"value": ast.literal_eval(json.loads(line))}))
    except Exception:
        print('"refused"')
`;

const lines = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");
const hasPython = runPython("print(1)", "") !== null;
if (!hasPython) {
  process.emitWarning("python3 is not installed: the parser is NOT compared with Python itself");
}

describe.skipIf(!hasPython)("beside Python 3 itself", () => {
  test("what Python's repr writes is read as the value it came from", () => {
    const anyText = fc.oneof(
      fc.string({ unit: arbitraryCharacter, maxLength: 12 }),
      fc.string({
        unit: fc.constantFrom("'", '"', "\\", "\n", "\x7f", "\xa0", "\u2028", "n", "x"),
      }),
    );
    const text = anyText.filter((one) => one.isWellFormed());
    const values = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.constantFrom(null, true, false, 0, 1e22, 5e-324, 1.7976931348623157e308, -1e-7),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (one === 0 ? 0 : one)),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(fc.oneof(text, fc.constant("tuple")), tie("value"), {
          maxKeys: 4,
          noNullPrototype: true,
        }),
      ),
    })).value;
    const sample = fc.sample(values, propertySettings(3_000));
    const input = sample.map((one) => JSON.stringify(one)).join("\n");
    const reprs = lines(runPython(REPRS, input) ?? "").map((line) => String(JSON.parse(line)));
    expect(reprs).toHaveLength(sample.length);
    for (const [index, repr] of reprs.entries()) {
      expect(outcome(python(repr)), repr).toEqual(plain(sample[index] as Literal));
    }
  });

  test("a made-up literal that is read here has the same value in Python", () => {
    const pieces = fc.constantFrom(
      ...["'", '"', "\\", "\\'", "\\x41", "\\u0041", "\\U00000041", "\\101", "\\0", "\\n", "\\a"],
      ...["a", "1", "0", "-", ".", "e", "(", ")", ",", " ", "[", "]", "{", "}", ":", "'k'"],
      ...["None", "True", "b", "1,", "('a',", "{'a': ", "[1, ", "1.5", "1e3"],
    );
    const made = fc.array(pieces, { maxLength: 9 }).map((parts) => parts.join(""));
    const sample = fc.sample(made, propertySettings(20_000));
    const accepted = sample.filter((text) => python(text).ok);
    const output = runPython(EVALUATED, accepted.map((one) => JSON.stringify(one)).join("\n"));
    const answers = lines(output ?? "").map((line) => JSON.parse(line));
    expect(accepted.length).toBeGreaterThan(scaledCount(200));
    for (const [index, text] of accepted.entries()) {
      expect({ value: outcome(python(text)) }, text).toEqual(answers[index]);
    }
  });
});
