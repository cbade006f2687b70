/**
 * The columns `event` and `inputs` of the journal hold JSON in which frequent phrases are replaced by control
 * characters. JSON escapes these characters inside its strings, so the replacement is exact in both directions. Only
 * these two columns are shortened: the hash of a line, its export and all readers use the full JSON.
 *
 * The list is frozen: stored lines depend on each phrase and on its position in the list. Never change or remove a
 * phrase; add a new one at the end.
 */
const PHRASES: readonly string[] = [
  '{"type":"orderFilled","orderUuid":"',
  '","positionUuid":"',
  '","kind":"market","pair":"',
  '","direction":"long","effect":"',
  '","direction":"short","effect":"',
  '","price":',
  ',"slippage":0,"quantity":',
  ',"slippage":',
  ',"quantity":',
  ',"value":',
  ',"leverage":',
  ',"fee":',
  ',"realizedPnl":0,"bindingCap":null,"usdRate":',
  ',"bindingCap":null,"usdRate":',
  ',"realizedPnl":',
  ',"atMs":',
  '","pair":"',
  '",{"orderUuid":"',
  '","direction":"long","size":{"kind":"',
  '","direction":"short","size":{"kind":"',
  'value","value":',
  'quantity","lots":',
  'leverage","leverage":',
  '},"legs":[]},[["',
  '"stopLoss":',
  ',"takeProfit":',
  ',"trailing":null,"size":null',
  '{"type":"orderPlaced","order":{"pair":"',
  '{"type":"orderCancelled","orderUuid":"',
  '{"type":"legsAttached","legs":[{',
  '{"type":"positionClosed","trade":{"id":"',
  '","reason":"owner","detail":null',
  '","reason":"positionClosed","detail":null',
  ',"kind":"bracket","uuid":"',
  '","kind":"stopLoss","pair":"',
  '","kind":"takeProfit","pair":"',
  '","kind":"limit","pair":"',
  '","kind":"closePair","pair":"',
  '","kind":"flatten","pair":"',
  ',"placedAtMs":',
  ',"bestPrice":null,"shareOf":',
  '},"limitPrice":',
  ',"legs":[',
  '],"reduceOnly":false',
  '","direction":"long"',
  '","direction":"short"',
  ',"averageEntryPrice":',
  ',"averageExitPrice":',
  ',"cumulativeEntryValue":',
  ',"returnAtClose":',
  ',"openedAtMs":',
  ',"closedAtMs":',
  ',"status":"closed"',
];

/** The codes of one character. Tab, line feed and carriage return are not used. */
const ONE_CHARACTER = characters(...range(0x01, 0x08), 0x0b, 0x0c, ...range(0x0e, 0x1e));
const FIRST_OF_TWO = "\u001f";
const SECOND_OF_TWO = characters(...range(0x30, 0x7a));
const CODES = [...ONE_CHARACTER, ...SECOND_OF_TWO.map((second) => FIRST_OF_TWO + second)];

const CODE_OF = new Map(PHRASES.map((phrase, index) => [phrase, CODES[index] ?? phrase]));
const PHRASE_OF = new Map([...CODE_OF].map(([phrase, code]) => [code, phrase]));
// Longer phrases come first, so that the longest phrase that matches is replaced.
const ANY_PHRASE = new RegExp(
  [...PHRASES]
    .sort((one, other) => other.length - one.length)
    .map((phrase) => phrase.replaceAll(/[{}[\]]/g, "\\$&"))
    .join("|"),
  "g",
);
const ANY_CODE = new RegExp(`[${ONE_CHARACTER.join("")}]|${FIRST_OF_TWO}.`, "g");

/** The JSON with its phrases replaced by codes, as the journal's columns store it. */
export function encodePhrases(json: string): string {
  return json.replace(ANY_PHRASE, (phrase) => CODE_OF.get(phrase) ?? phrase);
}

/**
 * The possible beginnings of the stored column `event` when its event is of the type: plain JSON, or the code of a
 * phrase.
 */
export function eventPrefixesOf(type: string): readonly string[] {
  const start = `{"type":${JSON.stringify(type)}`;
  return [
    start,
    ...PHRASES.flatMap((phrase) => (phrase.startsWith(start) ? [encodePhrases(phrase)] : [])),
  ];
}

/** The full JSON of a stored column. */
export function decodePhrases(stored: string): string {
  return stored.replace(ANY_CODE, (code) => PHRASE_OF.get(code) ?? code);
}

/** An SQL expression with the value of `decodePhrases(argument)`; `argument` is SQL too. */
export function decodePhrasesSql(argument: string): string {
  return [...PHRASE_OF].reduce((inner, [code, phrase]) => {
    const stored = Array.from(code, (one) => `chr(${one.charCodeAt(0)})`).join(" || ");
    return `replace(${inner}, ${stored}, '${phrase}')`;
  }, argument);
}

function characters(...codes: readonly number[]): readonly string[] {
  return codes.map((code) => String.fromCharCode(code));
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
