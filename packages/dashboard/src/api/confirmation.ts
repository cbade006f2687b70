const ASKED = "propgate:confirm";

/** Called once: true when the person gave a password or a passkey. */
type Settle = (isConfirmed: boolean) => void;

/**
 * Asks for a password or passkey when a call needs one from the last five minutes.
 * False when none was given, or when no dialog is on the page.
 */
export function askForConfirmation(): Promise<boolean> {
  return new Promise((resolve) => {
    const detail: Settle = resolve;
    const request = new CustomEvent(ASKED, { bubbles: true, cancelable: true, detail });
    if (document.dispatchEvent(request)) resolve(false);
  });
}

/**
 * Where a dialog host listens. An event reaches `document` before `window`: a host within an open
 * dialog listens on `document`, the page's own on `window`. The first host to handle it wins.
 */
export function hostConfirmation(target: Document | Window, take: (settle: Settle) => void) {
  const listener = (event: Event): void => {
    if (!(event instanceof CustomEvent) || event.defaultPrevented) return;
    event.preventDefault();
    const settle: Settle = event.detail;
    take(settle);
  };
  target.addEventListener(ASKED, listener);
  return () => target.removeEventListener(ASKED, listener);
}
