import type { JSX } from 'preact';

import { parseExactJson, stringifyExactJson } from '../../../runtime/json-integers.js';
import { addressOf, type BuiltRequest, lendCookies } from './build-request.js';
import { apiUrl, type ControlClient } from './control-client.js';
import { Violations } from './violations.js';
import type { Violation } from '../../../http/messages.js';

export interface SentResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Milliseconds until the whole body was read. */
  readonly took: number;
  readonly body: ShownBody;
  readonly isComplete: boolean;
  readonly violations: readonly Violation[];
}

type ShownBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'items'; readonly items: readonly string[] }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/** The most characters that are shown; more would freeze the page. */
const MOST_TEXT = 500_000;
const MOST_ITEMS = 1_000;

/** Sends a request and reports its response repeatedly while the body arrives. */
export async function sendRequest(
  request: BuiltRequest,
  control: ControlClient,
  report: (response: SentResponse) => void,
): Promise<void> {
  const started = performance.now();
  const { cookie: _cookie, ...headers } = request.headers;
  const returnCookies = lendCookies(request);
  const response = await fetch(addressOf(apiUrl(), request.target), {
    method: request.method,
    headers: { ...headers, 'x-specmill-sandbox': control.sandbox },
    ...(request.body === undefined ? {} : { body: request.body }),
    redirect: 'manual',
  }).finally(returnCookies);
  const head = {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    violations: [],
  };
  const show = (body: ShownBody, isComplete: boolean): SentResponse => {
    const shown = { ...head, body, isComplete, took: Math.round(performance.now() - started) };
    report(shown);
    return shown;
  };
  const last = show(await readBody(response, (body) => show(body, false)), true);
  report({ ...last, violations: await findViolations(request, control) });
}

async function readBody(response: Response, onPart: (body: ShownBody) => void): Promise<ShownBody> {
  const type = (response.headers.get('content-type') ?? '').toLowerCase();
  if (response.body !== null && /event-stream|jsonl|ndjson|json-seq/.test(type))
    return readItems(response.body, type.includes('event-stream') ? /\r?\n\r?\n/ : /\r?\n/, onPart);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!isText(type, bytes)) return { kind: 'bytes', bytes };
  const text = new TextDecoder().decode(bytes);
  return { kind: 'text', text: type.includes('json') ? prettify(text) : text };
}

async function readItems(
  body: ReadableStream<Uint8Array>,
  separator: RegExp,
  onPart: (body: ShownBody) => void,
): Promise<ShownBody> {
  const decoder = new TextDecoder();
  const items: string[] = [];
  let rest = '';
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const pieces = (rest + decoder.decode(part.value, { stream: true })).split(separator);
    rest = pieces.pop() ?? '';
    items.push(...pieces.filter((piece) => piece.trim() !== ''));
    onPart({ kind: 'items', items: items.slice(-MOST_ITEMS) });
  }
  if (rest.trim() !== '') items.push(rest);
  return { kind: 'items', items: items.slice(-MOST_ITEMS) };
}

function isText(type: string, bytes: Uint8Array): boolean {
  if (/json|text|xml|form|yaml|javascript|graphql/.test(type)) return true;
  return type === '' && !bytes.subarray(0, 1_000).includes(0);
}

function prettify(text: string): string {
  try {
    return stringifyExactJson(parseExactJson(text), 2);
  } catch {
    return text;
  }
}

async function findViolations({ method, target }: BuiltRequest, control: ControlClient): Promise<readonly Violation[]> {
  const entries = await control.listRequests();
  const path = target.split('?', 1)[0];
  const entry = entries.findLast((one) => one.method === method && one.path.split('?', 1)[0] === path);
  return entry?.violations ?? [];
}

export function DescribedResponse({ response }: { readonly response: SentResponse }): JSX.Element {
  return (
    <section aria-label="Response" aria-live="polite" class="response">
      <h4>
        <span class={`status s${String(response.status)[0]}`}>
          {response.status} {response.statusText}
        </span>{' '}
        <span class="muted">
          {response.took} ms{response.isComplete ? '' : ', receiving'}
        </span>
      </h4>
      <Violations title="Violations" violations={response.violations} />
      <pre tabIndex={0} class="headers">
        {response.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
      </pre>
      <DescribedBody body={response.body} />
    </section>
  );
}

function DescribedBody({ body }: { readonly body: ShownBody }): JSX.Element {
  if (body.kind === 'items')
    return (
      <ol class="items">
        {body.items.map((item) => (
          <li>
            <pre>{item}</pre>
          </li>
        ))}
      </ol>
    );
  if (body.kind === 'text') return <pre tabIndex={0}>{body.text.slice(0, MOST_TEXT)}</pre>;
  return (
    <>
      <p>{body.bytes.length} bytes</p>
      <pre tabIndex={0}>{toHex(body.bytes.subarray(0, 512))}</pre>
    </>
  );
}

function toHex(bytes: Uint8Array): string {
  const pairs = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  return pairs.flatMap((pair, index) => (index % 16 === 15 ? [pair, '\n'] : [pair, ' '])).join('');
}
