import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { PanelProps } from './panel-props.js';
import { Alert, useAction, useTask } from './load.js';

/** All sandboxes of the mock. The page shows one of them. */
export function SandboxesPanel({ control, changes, chooseSandbox }: PanelProps): JSX.Element {
  const [own, setOwn] = useState(0);
  const { value: sandboxes = [], error } = useTask(() => control.listSandboxes(), [control, changes, own]);
  const { error: failure, perform } = useAction();
  const drop = async (name: string): Promise<void> => {
    await perform(() => control.dropSandbox(name));
    setOwn((count) => count + 1);
  };
  return (
    <>
      <Alert error={error ?? failure} />
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Items</th>
            <th>Last used</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {sandboxes.map(({ name, items, lastUsed }) => (
            <tr>
              <td>
                <button
                  type="button"
                  class="link"
                  aria-pressed={name === control.sandbox}
                  onClick={() => chooseSandbox(name)}
                >
                  {name}
                </button>
              </td>
              <td>{items}</td>
              <td>{lastUsed}</td>
              <td>
                <button type="button" aria-label={`Drop ${name}`} onClick={() => void drop(name)}>
                  Drop
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
