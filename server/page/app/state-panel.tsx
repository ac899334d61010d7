import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { PanelProps } from './app.js';
import { JsonEditor } from './json-editor.js';
import { Alert, useAction, useTask } from './load.js';

/** The state of the sandbox: its collections, and all of it as JSON. */
export function StatePanel({ control, changes }: PanelProps): JSX.Element {
  const { value: state, error } = useTask(() => control.getState(), [control, changes]);
  const [text, setText] = useState<string>();
  const [query, setQuery] = useState('');
  const { error: failure, perform } = useAction();
  const current = state === undefined ? '' : JSON.stringify(state, undefined, 2);
  const isEdited = text !== undefined && text !== current;
  useEffect(() => {
    // What the user has typed stays, whatever the mock does meanwhile.
    if (!isEdited) setText(undefined);
  }, [current]);
  const save = async (): Promise<void> => {
    if (await perform(async () => control.putState(JSON.parse(text ?? current)))) setText(undefined);
  };
  return (
    <>
      <Alert error={error ?? failure} />
      {state === undefined ? null : <CollectionList state={state} query={query} onSearch={setQuery} />}
      <JsonEditor label="State" value={text ?? current} onChange={setText} />
      <p class="row">
        <button type="button" class="primary" onClick={() => void save()}>
          Save
        </button>
        <button type="button" disabled={!isEdited} onClick={() => setText(undefined)}>
          Discard changes
        </button>
        <a class="button" download="state.json" href={`data:application/json,${encodeURIComponent(current)}`}>
          Export
        </a>
        <label class="button">
          Import
          <input
            type="file"
            accept="application/json"
            class="hidden"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file !== undefined) void file.text().then(setText);
            }}
          />
        </label>
      </p>
    </>
  );
}

function CollectionList(props: {
  readonly state: Readonly<Record<string, unknown>>;
  readonly query: string;
  readonly onSearch: (query: string) => void;
}): JSX.Element {
  const collections = collectionsOf(props.state);
  const query = props.query.trim().toLowerCase();
  return (
    <section aria-label="Collections">
      <input
        type="search"
        aria-label="Search items"
        placeholder="Search items"
        value={props.query}
        onInput={(event) => props.onSearch(event.currentTarget.value)}
      />
      <ul>
        {collections.map(([name, items]) => {
          const found = query === '' ? [] : items.filter((item) => JSON.stringify(item).toLowerCase().includes(query));
          return (
            <li>
              <b>{name}</b> <span class="muted">{items.length} items</span>
              {found.slice(0, 20).map((item) => (
                <pre tabIndex={0}>{JSON.stringify(item, undefined, 2)}</pre>
              ))}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The collections of a snapshot by name, and those of each account where accounts have their own. */
function collectionsOf(state: Readonly<Record<string, unknown>>): [string, readonly unknown[]][] {
  const { collections, accounts } = state as {
    readonly collections?: Collections;
    readonly accounts?: Readonly<Record<string, Collections>>;
  };
  const own = Object.entries(accounts ?? {}).flatMap(([account, held]) =>
    Object.entries(held).map(([name, items]): [string, readonly unknown[]] => [`${name} of ${account}`, items]),
  );
  return [...Object.entries(collections ?? {}), ...own];
}

type Collections = Readonly<Record<string, readonly unknown[]>>;
