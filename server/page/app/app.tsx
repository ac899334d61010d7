import type { ComponentType, JSX } from 'preact';
import { useEffect, useMemo, useState, useRef } from 'preact/hooks';

import { ActionsPanel } from './actions-panel.js';
import { ClockPanel } from './clock-panel.js';
import { ControlClient } from './control-client.js';
import { DataPanel } from './data-panel.js';
import { FaultsPanel } from './faults-panel.js';
import { JournalPanel } from './journal-panel.js';
import { Alert, useTask, useAction } from './load.js';
import { OperationsPanel } from './operations-panel.js';
import type { PanelProps } from './panel-props.js';
import { ResourcesPanel } from './resources-panel.js';
import { SandboxesPanel } from './sandboxes-panel.js';
import { StatePanel } from './state-panel.js';

const PANELS: readonly { readonly name: string; readonly Panel: ComponentType<PanelProps> }[] = [
  { name: 'Operations', Panel: OperationsPanel },
  { name: 'Resources', Panel: ResourcesPanel },
  { name: 'Journal', Panel: JournalPanel },
  { name: 'Data', Panel: DataPanel },
  { name: 'State', Panel: StatePanel },
  { name: 'Clock', Panel: ClockPanel },
  { name: 'Faults', Panel: FaultsPanel },
  { name: 'Actions', Panel: ActionsPanel },
  { name: 'Sandboxes', Panel: SandboxesPanel },
];

export function App(): JSX.Element {
  const [sandbox, setSandbox] = useState(readSandbox());
  const control = useMemo(() => new ControlClient(sandbox), [sandbox]);
  const { panel, detail } = useRoute();
  const { value: api, error } = useTask(() => control.getApi(), []);
  const changes = useChanges(control);
  useEffect(() => {
    if (api !== undefined) document.title = api.title;
  }, [api]);
  const chooseSandbox = (name: string): void => {
    if (name === '') return;
    sessionStorage.setItem('specmill-sandbox', name);
    setSandbox(name);
  };
  const { Panel } = PANELS.find(({ name }) => name.toLowerCase() === panel) ?? PANELS[0]!;
  return (
    <>
      <header class="top">
        <h1>{api?.title ?? 'specmill'}</h1>
        {api === undefined ? null : <span class="muted">{api.version}</span>}
        <SandboxField sandbox={sandbox} onChoose={chooseSandbox} control={control} changes={changes} />
        <ResetButton control={control} />
      </header>
      <nav class="tabs" aria-label="Panels">
        {PANELS.map(({ name }) => (
          <a href={`#/${name.toLowerCase()}`} aria-current={name.toLowerCase() === panel ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <main>
        <Alert error={error} />
        {api === undefined ? null : (
          <Panel
            key={`${sandbox} ${panel}`}
            control={control}
            api={api}
            changes={changes}
            detail={detail}
            chooseSandbox={chooseSandbox}
          />
        )}
      </main>
    </>
  );
}

function SandboxField(props: {
  readonly sandbox: string;
  readonly onChoose: (name: string) => void;
  readonly control: ControlClient;
  readonly changes: number;
}): JSX.Element {
  const { value: sandboxes = [] } = useTask(() => props.control.listSandboxes(), [props.control, props.changes]);
  return (
    <label class="sandbox">
      Sandbox
      <input
        list="sandboxes"
        value={props.sandbox}
        spellcheck={false}
        onChange={(event) => props.onChoose(event.currentTarget.value.trim())}
      />
      <datalist id="sandboxes">
        {sandboxes.map(({ name }) => (
          <option value={name} />
        ))}
      </datalist>
    </label>
  );
}

function readSandbox(): string {
  return sessionStorage.getItem('specmill-sandbox') ?? 'default';
}

function useRoute(): { readonly panel: string; readonly detail: string } {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const read = (): void => setHash(location.hash);
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  const [panel = '', ...rest] = hash.replace(/^#\/?/, '').split('/');
  return { panel: panel === '' ? 'operations' : panel, detail: decodeHash(rest.join('/')) };
}

function decodeHash(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Events within this time cause only one update of the panels. Milliseconds. */
const BURST = 100;

function useChanges(control: ControlClient): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    let timer: number | undefined;
    const stop = control.watch(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setChanges((count) => count + 1);
      }, BURST) as unknown as number;
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [control]);
  return changes;
}

/** Resets the sandbox after a confirmation. */
function ResetButton({ control }: { readonly control: ControlClient }): JSX.Element {
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
