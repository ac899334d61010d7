import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { parseExactJson, stringifyExactJson } from '../../../runtime/json-integers.js';
import type { PanelProps } from './panel-props.js';
import { JsonEditor } from './json-editor.js';
import { Alert, useAction, useTask } from './load.js';

/** The state of the sandbox, as collections and as JSON. */
export function StatePanel({ control, changes }: PanelProps): JSX.Element {
  const { value: state, error } = useTask(() => control.getState(), [control, changes]);
  const [text, setText] = useState<string>();
  const [query, setQuery] = useState('');
  const { error: failure, perform } = useAction();
  const current = state === undefined ? '' : stringifyExactJson(state, 2);
  const isEdited = text !== undefined && text !== current;
  useEffect(() => {
    // Keeps the text that the user has typed when the state changes.
    if (!isEdited) setText(undefined);
  }, [current]);
  const save = async (): Promise<void> => {
    if (await perform(async () => control.putState(parseExactJson(text ?? current)))) setText(undefined);
  };
  const remove = async (place: readonly string[], item: Item): Promise<void> => {
    await perform(async () => control.putState(withoutItem(await control.getState(), place, item)));
  };
  return (
    <>
      <Alert error={error ?? failure} />
      {state === undefined ? null : (
        <CollectionList
          state={state}
          query={query}
          onSearch={setQuery}
          onDelete={(place, item) => void remove(place, item)}
        />
      )}
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

const SHOWN = 20;

function CollectionList(props: {
  readonly state: Snapshot;
  readonly query: string;
  readonly onSearch: (query: string) => void;
  readonly onDelete: (place: readonly string[], item: Item) => void;
}): JSX.Element {
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
        {collectionsOf(props.state).map(({ label, place, items }) => (
          <li key={label}>
            <details open={query !== ''}>
              <summary>
                <b>{label}</b> <span class="muted">{items.length} items</span>
              </summary>
              {items
                .filter((item) => stringifyExactJson(item).toLowerCase().includes(query))
                .slice(0, SHOWN)
                .map((item) => (
                  <div key={String(item.id)}>
                    <pre tabIndex={0}>{stringifyExactJson(item, 2)}</pre>
                    <button
                      type="button"
                      aria-label={`Delete ${String(item.id)} of ${label}`}
                      onClick={() => props.onDelete(place, item)}
                    >
                      Delete
                    </button>
                  </div>
                ))}
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Item {
  readonly id?: unknown;
}

type Collections = Readonly<Record<string, readonly Item[]>>;
type Snapshot = Readonly<Record<string, unknown>>;

interface ShownCollection {
  readonly label: string;
  /** The member names that lead to the collection in the snapshot. */
  readonly place: readonly string[];
  readonly items: readonly Item[];
}

/** Returns the collections of a snapshot, including those of each account. */
function collectionsOf(state: Snapshot): readonly ShownCollection[] {
  const { collections = {}, accounts = {} } = state as {
    readonly collections?: Collections;
    readonly accounts?: Readonly<Record<string, Collections>>;
  };
  const shared = Object.entries(collections).map(([name, items]) => ({
    label: name,
    place: ['collections', name],
    items,
  }));
  const own = Object.entries(accounts).flatMap(([account, held]) =>
    Object.entries(held).map(([name, items]) => ({
      label: `${name} of ${account}`,
      place: ['accounts', account, name],
      items,
    })),
  );
  // The mock's own records begin with #; the JSON below has them.
  return [...shared, ...own].filter(({ place }) => place.at(-1)?.startsWith('#') !== true);
}

function withoutItem(state: Snapshot, place: readonly string[], item: Item): Snapshot {
  const copy = structuredClone(state) as Record<string, unknown>;
  const name = place.at(-1) ?? '';
  const holder = place.slice(0, -1).reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], copy);
  const collections = holder as Record<string, readonly Item[]>;
  collections[name] = (collections[name] ?? []).filter(({ id }) => id !== item.id);
  return copy;
}
