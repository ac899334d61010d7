import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';

import type { ControlClient } from './control-client.js';
import { Alert, useAction } from './load.js';

/** Returns the sandbox to its start, after a confirmation. */
export function ResetButton({ control }: { readonly control: ControlClient }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const { error, perform } = useAction();
  const reset = async (): Promise<void> => {
    if (await perform(() => control.reset())) dialog.current?.close();
  };
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Reset
      </button>
      <dialog ref={dialog} aria-labelledby="reset-title">
        <h2 id="reset-title">Reset to the start?</h2>
        <p>
          State, clock, faults, journal and rate counters of <b>{control.sandbox}</b> return to the start.
        </p>
        <Alert error={error} />
        <p class="row">
          <button type="button" class="primary" onClick={() => void reset()}>
            Reset
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </p>
      </dialog>
    </>
  );
}
