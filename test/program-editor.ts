import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "./source-tree.ts";

/** A program with the texts that an editor shows for it: the compiler's errors, and the texts for words. */
export interface EditedProgram {
  /** The compiler's error texts. */
  errors(): readonly string[];
  /** The hover text at the last occurrence of the word. */
  hover(word: string): string;
}

/**
 * Makes an editor of programs in `test/`, each of which begins with the text `beginning`. No file is written. Programs
 * that are opened before the first call of `errors` or `hover` are compiled together, which takes a tenth of the time.
 */
export function openEditor(name: string, beginning: string): (program: string) => EditedProgram {
  const texts = new Map<string, string>();
  const given = ts.readConfigFile(join(ROOT, "tsconfig.tests.json"), (path) =>
    ts.sys.readFile(path),
  );
  const { options } = ts.parseJsonConfigFileContent(given.config, ts.sys, ROOT);
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({ ...options, types: [], noUnusedLocals: false }),
    getScriptFileNames: () => [...texts.keys()],
    getScriptVersion: () => "0",
    getScriptSnapshot: (path) => {
      const content = texts.get(path) ?? ts.sys.readFile(path);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: (one) => ts.getDefaultLibFilePath(one),
    fileExists: (path) => texts.has(path) || ts.sys.fileExists(path),
    readFile: (path) => ts.sys.readFile(path),
    directoryExists: (path) => ts.sys.directoryExists(path),
    getDirectories: (path) => ts.sys.getDirectories(path),
  });
  return (program) => {
    const file = join(ROOT, "test", `${name}-${texts.size + 1}.ts`);
    // The program is a module, so that programs do not share their names.
    const text = `${beginning}${program}\nexport {};`;
    texts.set(file, text);
    return {
      errors: () =>
        [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)].map(
          ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"),
        ),
      hover: (word) =>
        ts.displayPartsToString(
          service.getQuickInfoAtPosition(file, text.lastIndexOf(word))?.documentation,
        ),
    };
  };
}
