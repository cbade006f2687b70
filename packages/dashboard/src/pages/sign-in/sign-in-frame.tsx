import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { ThemeSwitch } from "../../frame/theme.tsx";

interface SignInFrameProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** The frame of the pages for signing in: brand, theme and one form. */
export function SignInFrame({ title, children }: SignInFrameProps) {
  useEffect(() => {
    document.title = `${title} · Propgate`;
  }, [title]);
  return (
    <div className="mx-auto flex min-h-dvh max-w-[100rem] flex-col">
      <header className="flex min-h-12 items-center justify-between border-b border-line px-4">
        <Link to="/" className="font-semibold tracking-tight">
          Propgate
        </Link>
        <ThemeSwitch />
      </header>
      <main className="flex flex-1 flex-col items-center px-4 pt-[12vh] pb-8 max-sm:pt-8">
        <div className="w-full max-w-112">
          <h1 className="mb-4 text-lg font-semibold">{title}</h1>
          {children}
        </div>
      </main>
      <footer className="flex justify-center gap-4 px-4 py-6 text-xs text-muted">
        <a href="/docs" className="underline">
          Documentation
        </a>
        <Link to="/docs/api" className="underline">
          API reference
        </Link>
        <Link to="/debugger" className="underline">
          Signature debugger
        </Link>
        <a href="/licences/libraries.txt" className="underline">
          Licences
        </a>
      </footer>
    </div>
  );
}
