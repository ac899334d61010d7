import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { stringifyExactJson } from '../../../runtime/json-integers.js';
import { toLiteral } from '../../../model/identifiers.js';
import type { JournalEntry } from '../../../generated/control/types.js';
import { apiUrl } from './control-client.js';
import type { PanelProps } from './panel-props.js';
import { Alert, useAction, useTask } from './load.js';
import { toCurl } from './show-request.js';
import { Violations } from './violations.js';
import { addressOf, type BuiltRequest } from './build-request.js';

/** The calls of the sandbox, newest first, updated live. */
export function JournalPanel({ control, changes }: PanelProps): JSX.Element {
  const { value: entries = [], error } = useTask(() => control.listRequests(), [control, changes]);
  const [isBad, setBad] = useState(false);
  const [query, setQuery] = useState('');
  const [openId, setOpenId] = useState<string>();
  const { error: failure, perform } = useAction();
  const shown = entries
    .filter((entry) => (!isBad || entry.violations.length > 0) && matches(entry, query))
    .toReversed();
  return (
    <>
      <div class="row">
        <label>
          <input type="checkbox" checked={isBad} onChange={(event) => setBad(event.currentTarget.checked)} /> Only
          violations
        </label>
        <input
          type="search"
          aria-label="Filter by operation, path or status"
          placeholder="Operation, path or status"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <button type="button" onClick={() => void perform(() => control.clearRequests())}>
          Clear
        </button>
      </div>
      <Alert error={error ?? failure} />
      {shown.length === 0 ? <p>No calls.</p> : null}
      <ul class="plain calls">
        {shown.map((entry) => (
          <li key={entry.id}>
            <button
              type="button"
              class="call"
              aria-expanded={entry.id === openId}
              onClick={() => setOpenId(entry.id === openId ? undefined : entry.id)}
            >
              <span class="muted">{entry.at.slice(11, 23)}</span>{' '}
              <b class={`method ${entry.method.toLowerCase()}`}>{entry.method}</b>{' '}
              <span class="path">{entry.path}</span>{' '}
              <span class={`status s${String(entry.status)[0]}`}>{entry.status}</span>
              {entry.violations.length === 0 ? null : (
                <span class="badge">
                  {' '}
                  {`${entry.violations.length} violation${entry.violations.length === 1 ? '' : 's'}`}
                </span>
              )}
            </button>
            {entry.id === openId ? <Call entry={entry} sandbox={control.sandbox} /> : null}
          </li>
        ))}
      </ul>
    </>
  );
}

function matches({ operationId = '', method, path, status }: JournalEntry, query: string): boolean {
  return `${operationId} ${method} ${path} ${status}`.toLowerCase().includes(query.trim().toLowerCase());
}

function Call({ entry, sandbox }: { readonly entry: JournalEntry; readonly sandbox: string }): JSX.Element {
  const { error, perform } = useAction();
  const request = toRequest(entry);
  const sendAgain = async (): Promise<unknown> =>
    fetch(addressOf(apiUrl(), request.target), {
      method: request.method,
      headers: { ...request.headers, 'x-specmill-sandbox': sandbox },
      ...(request.body === undefined ? {} : { body: request.body }),
    });
  const copy = (text: string): Promise<void> => navigator.clipboard.writeText(text);
  return (
    <div class="call-detail">
      <p class="row">
        <button type="button" onClick={() => void perform(sendAgain)}>
          Send again
        </button>
        <button type="button" onClick={() => void perform(async () => copy(toCurl(request, apiUrl(), sandbox)))}>
          Copy as curl
        </button>
        <button type="button" onClick={() => void perform(async () => copy(toTest(entry, request, apiUrl())))}>
          Copy as test
        </button>
      </p>
      <Alert error={error} />
      <div class="columns">
        <Message title="Request" message={entry.request} />
        <Message title="Response" message={entry.response} />
        <section aria-label="Violations">
          <h3>Violations</h3>
          {entry.violations.length === 0 ? <p>None.</p> : null}
          <Violations title={`${entry.violations.length} found`} violations={entry.violations} />
        </section>
        {entry.notes === undefined ? null : (
          <section aria-label="Notes">
            <h3>Notes</h3>
            {entry.notes.map((note) => (
              <p key={note}>{note}</p>
            ))}
          </section>
        )}
      </div>
    </div>
  );
}

function Message(props: { readonly title: string; readonly message: JournalEntry['request'] }): JSX.Element {
  const { headers, body } = props.message;
  return (
    <section aria-label={props.title}>
      <h3>{props.title}</h3>
      <pre tabIndex={0} class="headers">
        {Object.entries(headers)
          .map(([name, value]) => `${name}: ${[value].flat().join(', ')}`)
          .join('\n')}
      </pre>
      <pre tabIndex={0}>{body === undefined ? '' : toText(body)}</pre>
    </section>
  );
}

function toText(body: unknown): string {
  return typeof body === 'string' ? body : stringifyExactJson(body, 2);
}

/** Headers that a page cannot send or that the browser sets itself. */
const OWN_HEADERS =
  /^(?:host|connection|content-length|origin|referer|user-agent|cookie|accept-encoding|accept-language|sec-.*|x-specmill-.*)$/i;

/** Makes a request from a recorded call. Its credentials are missing, because the journal redacts them. */
function toRequest({ method, path, request }: JournalEntry): BuiltRequest {
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || OWN_HEADERS.test(name) ? [] : [[name, [value].flat().join(', ')]],
  );
  return {
    method,
    target: path,
    headers: Object.fromEntries(headers),
    ...(request.body === undefined ? {} : { body: toText(request.body) }),
  };
}

function toTest(entry: JournalEntry, { target, ...init }: BuiltRequest, origin: string): string {
  return [
    `import { expect, it } from 'vitest';`,
    ``,
    `it(${toLiteral(`responds to ${entry.method} ${entry.path} with ${entry.status}`)}, async () => {`,
    `  const response = await fetch(${toLiteral(addressOf(origin, target))}, ${toLiteral(init)});`,
    `  expect(response.status).toBe(${entry.status});`,
    `});`,
    ``,
  ].join('\n');
}
