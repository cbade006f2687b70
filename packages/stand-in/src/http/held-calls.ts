/** Calls that wait for the control call `release`. */
export interface HeldCalls {
  /** Resolves when the calls of this subaccount are released. `hotkey` is null for a call of no subaccount. */
  wait(hotkey: string | null): Promise<void>;
  /** Releases the held calls of a subaccount; all of them without one. */
  release(hotkey?: string): void;
}

export function createHeldCalls(): HeldCalls {
  const held = new Set<{ readonly hotkey: string | null; readonly goOn: () => void }>();
  return {
    wait: (hotkey) => new Promise((goOn) => void held.add({ hotkey, goOn })),
    release(hotkey) {
      for (const call of held) {
        if (hotkey !== undefined && call.hotkey !== hotkey) continue;
        held.delete(call);
        call.goOn();
      }
    },
  };
}
