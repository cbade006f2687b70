import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Publishes the typeface's licence, as the libraries' licences are. */
function licenceOfTypeface(): Plugin {
  return {
    name: "licence-of-typeface",
    writeBundle({ dir = "pages" }) {
      const { resolve } = createRequire(import.meta.url);
      mkdirSync(join(dir, "licences"), { recursive: true });
      copyFileSync(
        resolve("@fontsource-variable/inter/LICENSE"),
        join(dir, "licences", "inter.txt"),
      );
    },
  };
}

/** Builds the pages as files for the service. Nothing is inline, because the service's policy forbids it. */
export default defineConfig({
  plugins: [react(), tailwindcss(), licenceOfTypeface()],
  resolve: { conditions: ["@propgate/source"] },
  build: {
    outDir: "pages",
    assetsInlineLimit: 0,
    license: { fileName: "licences/libraries.txt" },
    modulePreload: { polyfill: false },
    target: "es2023",
  },
  // For development: the service runs on its usual port beside `npm run pages`.
  server: { proxy: { "/dashboard": "http://127.0.0.1:8787", "/api": "http://127.0.0.1:8787" } },
});
