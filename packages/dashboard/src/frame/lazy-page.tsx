import { type ComponentType, createElement, use } from "react";

/** The script of a page could not be loaded, because the service is down or a newer version has replaced it. */
export class PageNotLoaded extends Error {
  override readonly name = "PageNotLoaded";
  /** Loads the script again. Resolves with false when that fails too. */
  readonly retry: () => Promise<boolean>;

  constructor(retry: () => Promise<boolean>) {
    super("This page could not be loaded.");
    this.retry = retry;
  }
}

interface LazyPage<Props extends object> {
  (props: Props): React.ReactNode;
  /** Loads the script before it is needed. Never rejects. */
  readonly preload: () => Promise<void>;
}

/**
 * A component whose script is loaded when it is first drawn. When that fails, PageNotLoaded is thrown where the
 * component would be drawn, so the frame around it stays. The router's own `lazyRouteComponent` would reload the whole
 * document, which fails while the service is down.
 */
export function lazyPage<Props extends object, Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
): LazyPage<Props> {
  let loading: Promise<void> | null = null;
  let page: ComponentType<Props> | null = null;
  let failure: PageNotLoaded | null = null;
  const retry = async (): Promise<boolean> => {
    await preload();
    return page !== null;
  };
  const preload = (): Promise<void> => {
    loading ??= load().then(
      (module) => {
        page = module[name];
        failure = null;
      },
      () => {
        loading = null;
        failure = new PageNotLoaded(retry);
      },
    );
    return loading;
  };
  const Page = (props: Props) => {
    if (page !== null) return createElement(page, props);
    if (failure !== null) throw failure;
    use(preload());
    return null;
  };
  return Object.assign(Page, { preload });
}
