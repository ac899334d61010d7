import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { PanelProps } from './panel-props.js';
import { Alert, useAction, useTask } from './load.js';

/** Switches the scenarios of the sandbox. */
export function ScenariosField({ control, changes }: Pick<PanelProps, 'control' | 'changes'>): JSX.Element | null {
  const [own, setOwn] = useState(0);
  const { value: scenarios = [], error } = useTask(() => control.listScenarios(), [control, changes, own]);
  const { error: failure, perform } = useAction();
  if (scenarios.length === 0) return null;
  const toggle = async (name: string): Promise<void> => {
    const active = scenarios.filter((one) => one.active !== (one.name === name)).map((one) => one.name);
    await perform(() => control.setScenarios(active));
    setOwn((count) => count + 1);
  };
  return (
    <fieldset>
      <legend>Scenarios</legend>
      <Alert error={error ?? failure} />
      {scenarios.map(({ name, active }) => (
        <label class="choice">
          <input type="checkbox" checked={active} onChange={() => void toggle(name)} /> {name}
        </label>
      ))}
    </fieldset>
  );
}
