import "./pages.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./api/query-client.ts";
import { sessionQuery } from "./api/session.ts";
import { ClockProvider } from "./clock.tsx";
import { watchSession } from "./frame/session-watch.ts";
import { applyTheme } from "./frame/theme.tsx";
import { ConfirmHost } from "./parts/confirm-host.tsx";
import { createPages } from "./router.tsx";

applyTheme();
const queries = createQueryClient(() => queries.setQueryData(sessionQuery.queryKey, null));
const router = createPages(queries);
watchSession(queries, {
  onEnded: () => void router.invalidate(),
  // The pages still show the data of the person who was signed in before, so the document is loaded again.
  onOther: () => location.reload(),
});
const page = document.getElementById("page");
if (page === null) throw new Error("broken invariant: index.html has its page");
createRoot(page).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <ClockProvider>
        <RouterProvider router={router} />
        <ConfirmHost target={window} />
      </ClockProvider>
    </QueryClientProvider>
  </StrictMode>,
);
