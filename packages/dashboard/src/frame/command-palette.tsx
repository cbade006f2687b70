import { Dialog } from "@base-ui/react/dialog";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useState } from "react";
import type { Destination } from "./destinations.ts";

/** A dialog that ⌘K or Ctrl-K opens. The person types the name of a page to open it. */
export function CommandPalette({ pages }: { readonly pages: readonly Destination[] }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger
        className="min-h-8 rounded-box border border-line px-2 text-xs text-muted hover:bg-raised max-sm:hidden"
        aria-keyshortcuts="Meta+K Control+K"
        title="Go to a page (Ctrl-K)"
      >
        <span className="sr-only">Go to a page, </span>
        {"\u2318"}K
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/50" />
        <Dialog.Popup className="fixed top-24 left-1/2 z-50 w-[min(32rem,calc(100vw-2rem))] -translate-x-1/2 rounded-box border border-line bg-panel p-2 shadow-xl">
          <Dialog.Title className="sr-only">Go to a page</Dialog.Title>
          <Search pages={pages} onDone={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Search({
  pages,
  onDone,
}: {
  readonly pages: readonly Destination[];
  readonly onDone: () => void;
}) {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const navigate = useNavigate();
  const found = pages.filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase()));
  const go = (page: Destination | undefined): void => {
    if (page === undefined) return;
    onDone();
    if (page.isDocument === true) location.assign(page.path);
    else void navigate({ to: page.path });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter") go(found[chosen]);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || found.length === 0) return;
    event.preventDefault();
    setChosen((chosen + step + found.length) % found.length);
  };
  return (
    <>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="pages-found"
        aria-activedescendant={found.length === 0 ? undefined : `page-${chosen}`}
        aria-label="Page"
        placeholder="Page name"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
        className="mb-1 min-h-10 w-full bg-transparent px-3 outline-none"
      />
      <div id="pages-found" role="listbox" aria-label="Pages" className="max-h-80 overflow-y-auto">
        {found.map((page, index) => (
          <div
            key={page.path}
            id={`page-${index}`}
            role="option"
            aria-selected={index === chosen}
            tabIndex={-1}
            onClick={() => go(page)}
            onKeyDown={onKeyDown}
            className="cursor-pointer rounded-box px-3 py-2 aria-selected:bg-raised"
          >
            {page.name}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="px-3 py-2 text-muted">No matching page.</p>}
    </>
  );
}
