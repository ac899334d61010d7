import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { Fault } from '../../../generated/control/types.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';
import { FaultForm } from './fault-form.js';
import { ScenariosField } from './scenarios-field.js';
import type { PanelProps } from './panel-props.js';
import { Alert, useAction, useTask } from './load.js';

/** The faults of the sandbox. The first one that matches a call replaces its response. */
export function FaultsPanel({ control, api, changes }: PanelProps): JSX.Element {
  const [own, setOwn] = useState(0);
  const { value: faults = [], error } = useTask(() => control.listFaults(), [control, changes, own]);
  const { error: failure, perform } = useAction();
  const replace = async (next: readonly Fault[]): Promise<void> => {
    await perform(() => control.putFaults(next));
    setOwn((count) => count + 1);
  };
  const operations = api.groups.flatMap((group) => group.operations);
  return (
    <>
      <Alert error={error ?? failure} />
      <ScenariosField control={control} changes={changes} />
      <FaultForm operationIds={operations.map(({ id }) => id)} onAdd={(fault) => void replace([...faults, fault])} />
      {faults.length === 0 ? <p>No faults.</p> : null}
      <ul class="plain">
        {faults.map((fault, index) => (
          <li class="row">
            <span class="fault">{describeFault(fault)}</span>
            <button type="button" onClick={() => void replace(faults.toSpliced(index, 1))}>
              Remove
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function describeFault(fault: Fault): string {
  const { name, operationId = 'every operation', when, probability, status, example, latencyMs, times, abort } = fault;
  return [
    name,
    operationId,
    when === undefined ? undefined : `when ${stringifyExactJson(when)}`,
    probability === undefined ? undefined : `with probability ${probability}`,
    status,
    example === undefined ? undefined : `example ${example}`,
    latencyMs === undefined ? undefined : `after ${latencyMs} ms`,
    abort === true ? 'closes the connection' : undefined,
    times === undefined ? undefined : `${times} times`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}
