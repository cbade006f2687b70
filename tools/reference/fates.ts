import {
  FATE_ROW_WORDS,
  FATES,
  type Fate,
  type FateRowName,
  REQUEST_FIELDS,
  rejectionText,
} from "@propgate/contract";
import { readText } from "../../test/source-tree.ts";
import { markdownTable, type ReferencePage } from "./markdown.ts";

const CELLS: Readonly<Record<Fate, string>> = {
  read: "read",
  alone: "alone",
  repeats: "same",
  false: "false",
  rejected: "–",
};

const LEGEND = [
  "- **read**: the request uses the field.",
  "- **alone**: read, but rejected beside legs in `bracket_orders`: put it in a leg.",
  "- **same**: not needed. Accepted when it repeats what is so, such as the pair of the id. Rejected otherwise.",
  "- **false**: only false, the default, is accepted.",
  "- **–**: rejected with 400.",
].join("\n");

/** The objects of a request other than its `trade`. */
const OTHER_PLACES: readonly FateRowName[] = [
  "OrderRequest",
  "OrderLeg",
  "TrailingStop",
  "SwitchRequest",
];
const PLACES = Object.keys(FATES) as readonly FateRowName[];

/**
 * The tables of fates with their introduction and legend, as blocks of a page. A fate says how an object of a request
 * treats a field.
 */
export function fateBlocks(): readonly string[] {
  return [
    `Every field that the contract has in a request is used where it belongs. Elsewhere the request is rejected, and the error names the field before one that is missing. Example: \`${rejectionText("LimitOrder", "stop_price")}\`. Null counts as absent everywhere. Only names that the contract has nowhere are ignored; the header \`X-Service-Ignored-Fields\` lists them.`,
    LEGEND,
    "Fields of `trade`, by the kind of order:",
    fateTable(PLACES.filter((place) => !OTHER_PLACES.includes(place))),
    "Fields at the other places of a request:",
    fateTable(OTHER_PLACES),
  ];
}

function fateTable(places: readonly FateRowName[]): string {
  const rows = REQUEST_FIELDS.map((field) => [
    `\`${field}\``,
    ...places.map((place) => CELLS[FATES[place][field]]),
  ]);
  return markdownTable(["Field", ...places.map((place) => FATE_ROW_WORDS[place].heading)], rows);
}

const GUIDE = "docs/guides/order-types.md";
const HEADING = "## Every field at every place";

/** The guide of order types. Its text stays as written; only its last section is generated. */
export function orderTypesGuide(): ReferencePage {
  const [written = ""] = readText(GUIDE).split(`${HEADING}\n`);
  return { path: GUIDE, content: `${[`${written}${HEADING}`, ...fateBlocks()].join("\n\n")}\n` };
}
