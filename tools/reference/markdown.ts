/** A generated file: its path in the repository and its content. */
export interface ReferencePage {
  readonly path: string;
  readonly content: string;
}

/** The text of a generated page: its title, a line that names its source, and its blocks. */
export function markdownPage(what: {
  readonly title: string;
  readonly source: string;
  readonly blocks: readonly string[];
}): string {
  const origin = `Generated from \`${what.source}\` by \`npm run docs\`; do not edit.`;
  return `${[`# ${what.title}`, origin, ...what.blocks].join("\n\n")}\n`;
}

/** A table in markdown. A `|` in a cell is escaped. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export function codeBlock(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}
