import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { PanelProps } from './panel-props.js';
import type { Clock as ClockView } from '../../../generated/control/types.js';
import { Alert, useAction, useTask } from './load.js';

/** The clock of the sandbox and its planned jobs. */
export function ClockPanel({ control, changes }: PanelProps): JSX.Element {
  const [step, setStep] = useState('PT1H');
  const [own, setOwn] = useState(0);
  const { value: clock, error } = useTask(() => control.getClock(), [control, changes, own]);
  const { value: jobs = [] } = useTask(() => control.listJobs(), [control, changes, own]);
  const { error: failure, perform } = useAction();
  // Shows the user's choice at once, before the mock confirms it.
  const [chosen, setChosen] = useState<boolean>();
  const change = async (next: Parameters<typeof control.setClock>[0]): Promise<void> => {
    await perform(() => control.setClock(next));
    setOwn((count) => count + 1);
  };
  useEffect(() => setChosen(undefined), [clock]);
  const [next] = jobs;
  return (
    <>
      <Alert error={error ?? failure} />
      {clock === undefined ? null : <Now clock={clock} />}
      <div class="row">
        <label class="field">
          <span>Advance by</span>
          <input value={step} onInput={(event) => setStep(event.currentTarget.value)} />
        </label>
        <button type="button" class="primary" onClick={() => void change({ advance: step })}>
          Advance
        </button>
        <button
          type="button"
          disabled={next === undefined}
          onClick={() => void (next === undefined ? undefined : change({ now: next.dueAt }))}
        >
          Go to the next job
        </button>
        <label>
          <input
            type="checkbox"
            checked={chosen ?? clock?.frozen ?? false}
            onChange={(event) => {
              const frozen = event.currentTarget.checked;
              setChosen(frozen);
              void change({ frozen });
            }}
          />{' '}
          Frozen
        </label>
      </div>
      <h2>Scheduled</h2>
      {jobs.length === 0 ? <p>Nothing is scheduled.</p> : null}
      <ul>
        {jobs.map(({ name, dueAt }) => (
          <li>
            <time dateTime={dueAt}>{dueAt}</time> {name}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Shows the running time. The mock is asked only after a change. */
function Now({ clock }: { readonly clock: ClockView }): JSX.Element {
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    const started = performance.now();
    setPassed(0);
    if (clock.frozen) return undefined;
    const timer = setInterval(() => setPassed(performance.now() - started), 1_000);
    return () => clearInterval(timer);
  }, [clock]);
  const now = new Date(Date.parse(clock.now) + passed).toISOString();
  return (
    <p class="now">
      <time dateTime={now}>{now}</time>
    </p>
  );
}
