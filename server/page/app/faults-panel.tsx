import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { Fault } from '../../../generated/control/types.js';
import type { PanelProps } from './panel-props.js';
import { Alert, useAction, useTask } from './load.js';

interface FaultForm {
  readonly operationId: string;
  readonly status: string;
  readonly example: string;
  readonly latencyMs: string;
  readonly times: string;
  readonly abort: boolean;
}

const EMPTY: FaultForm = { operationId: '', status: '503', example: '', latencyMs: '', times: '', abort: false };

/** The faults of the sandbox. The first one that matches a call replaces its response. */
export function FaultsPanel({ control, api, changes }: PanelProps): JSX.Element {
  const [own, setOwn] = useState(0);
  const { value: faults = [], error } = useTask(() => control.listFaults(), [control, changes, own]);
  const [form, setForm] = useState(EMPTY);
  const { error: failure, perform } = useAction();
  const replace = async (next: readonly Fault[]): Promise<void> => {
    await perform(() => control.putFaults(next));
    setOwn((count) => count + 1);
  };
  const operations = api.groups.flatMap((group) => group.operations);
  const text = (label: string, key: 'status' | 'example' | 'latencyMs' | 'times'): JSX.Element => (
    <label class="field">
      <span>{label}</span>
      <input value={form[key]} onInput={(event) => setForm({ ...form, [key]: event.currentTarget.value })} />
    </label>
  );
  return (
    <>
      <Alert error={error ?? failure} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void replace([...faults, toFault(form)]);
        }}
      >
        <label class="field">
          <span>Operation</span>
          <select
            value={form.operationId}
            onChange={(event) => setForm({ ...form, operationId: event.currentTarget.value })}
          >
            <option value="">every operation</option>
            {operations.map(({ id }) => (
              <option value={id}>{id}</option>
            ))}
          </select>
        </label>
        {text('Status', 'status')}
        {text('Times', 'times')}
        {text('Example', 'example')}
        {text('Delay in milliseconds', 'latencyMs')}
        <label>
          <input
            type="checkbox"
            checked={form.abort}
            onChange={(event) => setForm({ ...form, abort: event.currentTarget.checked })}
          />{' '}
          Close the connection without a response
        </label>
        <p class="row">
          <button type="submit" class="primary">
            Add
          </button>
        </p>
      </form>
      {faults.length === 0 ? <p>No faults.</p> : null}
      <ul class="plain">
        {faults.map((fault, index) => (
          <li class="row">
            <span>{describeFault(fault)}</span>
            <button type="button" onClick={() => void replace(faults.toSpliced(index, 1))}>
              Remove
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function toFault({ operationId, status, example, latencyMs, times, abort }: FaultForm): Fault {
  const number = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN);
  return {
    ...(operationId === '' ? {} : { operationId }),
    ...(status.trim() === '' ? {} : { status: number(status) }),
    ...(example.trim() === '' ? {} : { example: example.trim() }),
    ...(latencyMs.trim() === '' ? {} : { latencyMs: number(latencyMs) }),
    ...(times.trim() === '' ? {} : { times: number(times) }),
    ...(abort ? { abort } : {}),
  };
}

function describeFault({ operationId = 'every operation', status, example, latencyMs, times, abort }: Fault): string {
  return [
    operationId,
    status,
    example === undefined ? undefined : `example ${example}`,
    latencyMs === undefined ? undefined : `after ${latencyMs} ms`,
    abort === true ? 'closes the connection' : undefined,
    times === undefined ? undefined : `${times} times`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}
