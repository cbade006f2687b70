import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "./source-tree.ts";

/** An editor with one program in `test/`, whose text after `beginning` each question replaces. Nothing is written. */
export function editor(file: string, beginning: string) {
  const probe = join(ROOT, "test", file);
  const given = ts.readConfigFile(join(ROOT, "tsconfig.tests.json"), (path) =>
    ts.sys.readFile(path),
  );
  const { options } = ts.parseJsonConfigFileContent(given.config, ts.sys, ROOT);
  let text = "";
  let version = 0;
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({ ...options, types: [], noUnusedLocals: false }),
    getScriptFileNames: () => [probe],
    getScriptVersion: (path) => (path === probe ? String(version) : "0"),
    getScriptSnapshot: (path) => {
      const content = path === probe ? text : ts.sys.readFile(path);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: (one) => ts.getDefaultLibFilePath(one),
    fileExists: (path) => path === probe || ts.sys.fileExists(path),
    readFile: (path) => ts.sys.readFile(path),
    directoryExists: (path) => ts.sys.directoryExists(path),
    getDirectories: (path) => ts.sys.getDirectories(path),
  });
  const write = (program: string): void => {
    text = beginning + program;
    version += 1;
  };
  return {
    /** The compiler's error texts. */
    errors: (program: string): readonly string[] => {
      write(program);
      return [
        ...service.getSyntacticDiagnostics(probe),
        ...service.getSemanticDiagnostics(probe),
      ].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
    },
    /** The editor's hover text at the last place of the word. */
    hover: (program: string, word: string): string => {
      write(program);
      const info = service.getQuickInfoAtPosition(probe, text.lastIndexOf(word));
      return ts.displayPartsToString(info?.documentation);
    },
  };
}
