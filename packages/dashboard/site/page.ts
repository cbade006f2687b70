/** The scripts of a documentation page: copy buttons, theme and search. The page is readable without them. */

/** A page in the index file. */
interface IndexedPage {
  readonly path: string;
  readonly title: string;
  /** The id and the text of each heading, and the words below it. The id of the title is empty. */
  readonly sections: readonly (readonly [id: string, heading: string, words: string])[];
}

interface Hit {
  readonly href: string;
  readonly title: string;
  readonly under: string | null;
}

const HITS_MAX = 12;
/** The number of search results that are reserved for the reference, the specification and the decisions. */
const OTHER_HITS = 4;
/** The maximum number of sections of one page that are shown because of their text. */
const HITS_OF_A_PAGE_MAX = 2;

addCopyButtons();
addThemeSwitch();
addSearch();

/** Adds a button to each block of code. */
function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>(".code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => {
      const text = block.querySelector("code")?.textContent ?? "";
      navigator.clipboard.writeText(text.trimEnd()).then(
        () => showBriefly(button, "Copied"),
        () => showBriefly(button, "Not allowed"),
      );
    });
    block.append(button);
  }
}

function showBriefly(button: HTMLButtonElement, text: string): void {
  button.textContent = text;
  button.addEventListener("blur", () => (button.textContent = "Copy"), { once: true });
  button.addEventListener("pointerleave", () => (button.textContent = "Copy"), { once: true });
}

function addThemeSwitch(): void {
  const button = document.querySelector<HTMLButtonElement>("button.theme");
  if (button === null) return;
  const root = document.documentElement;
  const shown = (): "dark" | "light" => {
    if (root.dataset.theme === "dark" || root.dataset.theme === "light") return root.dataset.theme;
    return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  };
  const describe = (): void => {
    const other = shown() === "dark" ? "light" : "dark";
    button.textContent = shown() === "dark" ? "\u263E" : "\u2600";
    button.title = `Change to ${other}`;
    button.setAttribute("aria-label", button.title);
  };
  button.addEventListener("click", () => {
    const other = shown() === "dark" ? "light" : "dark";
    root.dataset.theme = other;
    try {
      localStorage.setItem("propgate-theme", other);
    } catch {
      // A browser without storage keeps the theme until the page is left.
    }
    describe();
  });
  describe();
  button.hidden = false;
}

function addSearch(): void {
  const form = document.querySelector<HTMLFormElement>("form.search");
  const input = form?.querySelector("input");
  const found = form?.querySelector<HTMLElement>(".found");
  if (form === null || input == null || found == null) return;
  let pages: Promise<readonly IndexedPage[]> | null = null;
  const index = (): Promise<readonly IndexedPage[]> => {
    pages ??= fetch(document.body.dataset.search ?? "").then((answer) => answer.json());
    return pages;
  };
  const show = async (): Promise<void> => {
    const words = wordsOf(input.value);
    const hits = words.length === 0 ? [] : hitsOf(await index(), words);
    if (words.join() === wordsOf(input.value).join()) drawHits(found, hits, words.length > 0);
  };
  const showOr = (): void => {
    show().catch(() => {
      pages = null;
      found.textContent = "The search index could not be loaded. Try again.";
    });
  };
  input.addEventListener("input", showOr);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    found.querySelector("a")?.click();
  });
  form.addEventListener("keydown", (event) =>
    moveFocus(event, [input, ...found.querySelectorAll("a")]),
  );
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) found.replaceChildren();
  });
  input.addEventListener("focus", showOr);
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.focus();
  });
  form.hidden = false;
}

/** Arrow keys move the focus through the search field and its results; Escape removes the focus. */
function moveFocus(event: KeyboardEvent, stops: readonly HTMLElement[]): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const at =
    document.activeElement instanceof HTMLElement ? stops.indexOf(document.activeElement) : -1;
  if (step !== undefined) {
    event.preventDefault();
    stops[at + step]?.focus();
  } else if (event.key === "Escape") {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  }
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

/**
 * The pages and sections that contain every word. First come pages whose title contains the words, except pages of
 * decisions; then headings and texts of guides and rules; then headings and texts of the reference, the specification
 * and the decisions. Among headings, the shortest comes first, because it has the fewest other words. Among texts, the
 * page with the greatest share of matching sections comes first.
 */
function hitsOf(pages: readonly IndexedPage[], words: readonly string[]): readonly Hit[] {
  const holds = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const ordered = pages.toSorted((one, other) => rankOf(one) - rankOf(other));
  const titles = ordered
    .filter(({ title }) => holds(title))
    .map(({ path, title }): Hit => ({ href: path, title, under: null }));
  const headings = ordered
    .flatMap((page) =>
      hitsIn(page, (text) => holds(text) || (!holds(page.title) && holds(`${page.title} ${text}`))),
    )
    .toSorted((one, other) => one.title.length - other.title.length);
  const texts = pages
    .map((page) => {
      const hits = hitsIn(page, (heading, below) => holds(`${heading} ${below}`));
      return { hits, place: rankOf(page), share: hits.length / page.sections.length };
    })
    .toSorted((one, other) => one.place - other.place || other.share - one.share)
    .flatMap(({ hits }) => hits.slice(0, HITS_OF_A_PAGE_MAX));
  const hits = [
    ...new Map([...titles, ...headings, ...texts].map((hit) => [hit.href, hit])).values(),
  ];
  const isFirst = ({ href, title, under }: Hit): boolean => {
    const place = rankOf({ path: href });
    return place === 0 || (place < RANK_OF_DECISIONS && under === null && holds(title));
  };
  const others = hits
    .filter((hit) => !isFirst(hit))
    .toSorted((one, other) => rankOf({ path: one.href }) - rankOf({ path: other.href }));
  const firstMax = HITS_MAX - Math.min(others.length, OTHER_HITS);
  return [...hits.filter(isFirst).slice(0, firstMax), ...others].slice(0, HITS_MAX);
}

const RANK_OF_DECISIONS = 3;

/** The rank of a page: 0 for guides and rules, 1 for the reference, 2 for the specification, 3 for decisions. */
function rankOf({ path }: Pick<IndexedPage, "path">): number {
  const place = ["/docs/reference/", "/docs/spec/", "/docs/adr"].findIndex((folder) =>
    path.startsWith(folder),
  );
  return place + 1;
}

/** The sections of a page that `isHit` selects. The hit for the section of the title links to the whole page. */
function hitsIn(
  { path, title, sections }: IndexedPage,
  isHit: (heading: string, below: string) => boolean,
): readonly Hit[] {
  return sections
    .filter(([, heading, below]) => isHit(heading, below))
    .map(([id, heading]) =>
      id === ""
        ? { href: path, title, under: null }
        : { href: `${path}#${id}`, title: heading, under: title },
    );
}

function drawHits(found: HTMLElement, hits: readonly Hit[], isAsked: boolean): void {
  const lines = hits.map(({ href, title, under }) => {
    const line = document.createElement("li");
    const link = document.createElement("a");
    link.href = href;
    link.textContent = title;
    if (under !== null) {
      const about = document.createElement("span");
      about.textContent = under;
      link.append(" ", about);
    }
    line.append(link);
    return line;
  });
  const list = document.createElement("ul");
  list.append(...lines);
  if (!isAsked) found.replaceChildren();
  else if (lines.length === 0) found.textContent = "No page contains these words.";
  else found.replaceChildren(list);
}

export {};
