import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The pages as files that the service serves; nothing of them stands inline, for its policy allows none. */
export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: { conditions: ["@propgate/source"] },
  build: {
    outDir: "pages",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
  },
  // While pages are being written: the service runs on its usual port beside `npm run pages`.
  server: { proxy: { "/dashboard": "http://127.0.0.1:8787", "/api": "http://127.0.0.1:8787" } },
});
