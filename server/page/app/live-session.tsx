import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { DescribedOperation } from '../views.js';
import { type FormValues, buildRequest, keyOf, lendCookies } from './build-request.js';
import { apiUrl } from './control-client.js';
import { JsonEditor } from './json-editor.js';
import { Alert, messageOf } from './load.js';

interface Message {
  readonly from: 'client' | 'server' | 'session';
  readonly text: string;
}

/** A WebSocket session, with controls to open it, send messages and see the received ones. */
export function LiveSession({ operation }: { readonly operation: DescribedOperation }): JSX.Element {
  const [parameters, setParameters] = useState<FormValues['parameters']>(() =>
    Object.fromEntries(operation.parameters.filter(({ required }) => required).map((one) => [keyOf(one), one.sample])),
  );
  const [credentials, setCredentials] = useState<FormValues['credentials']>({});
  const [text, setText] = useState(operation.body?.content[0]?.examples[0]?.text ?? '{}');
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const [error, setError] = useState<string>();
  const socket = useRef<WebSocket>(undefined);
  const add = (message: Message): void => setMessages((before) => [...before, message].slice(-500));
  useEffect(() => () => socket.current?.close(), []);

  const open = (): void => {
    setError(undefined);
    try {
      const values = { parameters, credentials, mediaType: undefined, body: '', files: {} };
      const request = buildRequest(operation, values);
      socket.current?.close();
      const returnCookies = lendCookies(request);
      const opened = new WebSocket(apiUrl().replace(/^http/, 'ws') + request.target);
      for (const event of ['open', 'error']) opened.addEventListener(event, returnCookies);
      socket.current = opened;
      opened.addEventListener('open', () => add({ from: 'session', text: 'open' }));
      opened.addEventListener(
        'message',
        ({ data }) => void readMessage(data).then((shown) => add({ from: 'server', text: shown })),
      );
      opened.addEventListener('close', ({ code, reason }) =>
        add({ from: 'session', text: `closed ${code} ${reason}` }),
      );
      opened.addEventListener('error', () => setError('The session could not be opened, or it broke off.'));
    } catch (failure) {
      setError(messageOf(failure));
    }
  };
  const send = (): void => {
    if (socket.current?.readyState !== WebSocket.OPEN) return setError('Open the session first.');
    socket.current.send(text);
    add({ from: 'client', text });
  };
  return (
    <section>
      <h3>Live session</h3>
      {operation.parameters.map((parameter) => (
        <label class="field">
          <span>{parameter.name}</span>
          <input
            value={parameters[keyOf(parameter)] ?? ''}
            onInput={(event) => setParameters({ ...parameters, [keyOf(parameter)]: event.currentTarget.value })}
          />
        </label>
      ))}
      {operation.security.map(({ id, name }) => (
        <label class="field">
          <span>{name}</span>
          <input
            class="secret"
            autocomplete="off"
            value={credentials[id] ?? ''}
            onInput={(event) => setCredentials({ ...credentials, [id]: event.currentTarget.value })}
          />
        </label>
      ))}
      <JsonEditor label="Body" value={text} onChange={setText} />
      <Alert error={error} />
      <p class="row">
        <button type="button" onClick={open}>
          Open
        </button>
        <button type="button" class="primary" onClick={send}>
          Send
        </button>
        <button type="button" onClick={() => socket.current?.close()}>
          Close
        </button>
      </p>
      <section aria-label="Response" aria-live="polite">
        <ol class="items">
          {messages.map(({ from, text: shown }) => (
            <li>
              <b>{from}</b>
              <pre>{shown}</pre>
            </li>
          ))}
        </ol>
      </section>
    </section>
  );
}

async function readMessage(data: unknown): Promise<string> {
  return data instanceof Blob ? data.text() : String(data);
}
