import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { stringifyExactJson } from '../../../runtime/json-integers.js';
import { readJson } from './build-request.js';
import type { PanelProps } from './panel-props.js';
import type { Action } from '../../../generated/control/types.js';
import type { ControlClient } from './control-client.js';
import { Alert, useAction, useTask } from './load.js';

export function ActionsPanel({ control }: PanelProps): JSX.Element {
  const { value: actions, error } = useTask(() => control.listActions(), [control]);
  return (
    <>
      <Alert error={error} />
      {actions?.length === 0 ? <p>This mock has no actions.</p> : null}
      {(actions ?? []).map((action) => (
        <ActionForm action={action} control={control} />
      ))}
    </>
  );
}

function ActionForm({ action, control }: { readonly action: Action; readonly control: ControlClient }): JSX.Element {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [result, setResult] = useState<string>();
  const { error, perform } = useAction();
  const run = (): Promise<boolean> =>
    perform(async () => {
      setResult(undefined);
      const result = await control.runAction(action.name, toInput(action, values));
      setResult(result === undefined ? 'Done.' : stringifyExactJson(result, 2));
    });
  return (
    <form
      aria-label={action.name}
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <h2>{action.name}</h2>
      {action.description === undefined ? null : <p>{action.description}</p>}
      {membersOf(action).map(([name, schema]) => (
        <label class="field">
          <span>{name}</span>
          {Array.isArray(schema.enum) ? (
            <select
              value={values[name] ?? ''}
              onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
            >
              <option value="" />
              {schema.enum.map((value) => (
                <option>{String(value)}</option>
              ))}
            </select>
          ) : (
            <input
              value={values[name] ?? ''}
              onInput={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
            />
          )}
        </label>
      ))}
      <Alert error={error} />
      <p class="row">
        <button type="submit" class="primary">
          Run
        </button>
      </p>
      {result === undefined ? null : (
        <pre tabIndex={0} aria-label="Result">
          {result}
        </pre>
      )}
    </form>
  );
}

interface MemberSchema {
  readonly type?: unknown;
  readonly enum?: unknown;
}

function membersOf({ input }: Action): [string, MemberSchema][] {
  const properties =
    typeof input === 'object' && input !== null && 'properties' in input ? (input.properties ?? {}) : {};
  return Object.entries(properties as Record<string, MemberSchema>);
}

/** Makes the input of an action. Leaves out empty fields, and parses all types other than text as JSON. */
function toInput(action: Action, values: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    membersOf(action).flatMap(([name, { type }]): [string, unknown][] => {
      const text = values[name] ?? '';
      if (text === '') return [];
      return [[name, type === undefined || [type].flat().includes('string') ? text : readJson(text)]];
    }),
  );
}
