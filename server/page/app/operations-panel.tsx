import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';

import type { DescribedGroup } from '../views.js';
import type { PanelProps } from './panel-props.js';
import { Alert, useTask } from './load.js';
import { Markdown } from './markdown.js';
import { OperationDetails } from './operation-details.js';

/** Lists all operations by tag, with a search. The operation in the page's URL is open. */
export function OperationsPanel({ control, api, detail }: PanelProps): JSX.Element {
  const [query, setQuery] = useState('');
  const groups = useMemo(() => filterGroups(api.groups, query), [api, query]);
  return (
    <div class="split">
      <section class="list" aria-label="Operations">
        <input
          type="search"
          aria-label="Search operations"
          placeholder="Search operations"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        {groups.length === 0 ? <p>No operation matches.</p> : null}
        {groups.map(({ tag, operations }) => (
          <section class="group">
            <h2>{tag}</h2>
            <ul class="plain">
              {operations.map(({ id, method, path, summary, deprecated }) => (
                <li>
                  <a
                    href={`#/operations/${encodeURIComponent(id)}`}
                    aria-current={id === detail ? 'true' : undefined}
                    class={deprecated ? 'deprecated' : undefined}
                  >
                    <b class={`method ${method.toLowerCase()}`}>{method}</b> <span class="path">{path}</span>{' '}
                    <span class="muted">{summary}</span>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </section>
      <section class="detail">
        {detail === '' ? (
          <Introduction text={api.description} />
        ) : (
          <OpenOperation key={detail} id={detail} control={control} />
        )}
      </section>
    </div>
  );
}

function Introduction({ text }: { readonly text: string | undefined }): JSX.Element {
  return text === undefined ? <p>Choose an operation.</p> : <Markdown text={text} />;
}

function OpenOperation({ id, control }: { readonly id: string } & Pick<PanelProps, 'control'>): JSX.Element {
  const { value: operation, error } = useTask(() => control.getOperation(id), [id]);
  return (
    <>
      <Alert error={error} />
      {operation === undefined ? null : <OperationDetails operation={operation} control={control} />}
    </>
  );
}

function filterGroups(groups: readonly DescribedGroup[], query: string): readonly DescribedGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  return groups.flatMap((group) => {
    const operations = group.operations.filter(({ id, method, path, summary }) => {
      const text = `${method} ${path} ${id} ${summary}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return operations.length === 0 ? [] : [{ ...group, operations }];
  });
}
