import type { JSX } from 'preact';

import type { DescribedContent, DescribedOperation } from '../views.js';
import type { ControlClient } from './control-client.js';
import { Markdown } from './markdown.js';
import { Opener } from './opener.js';
import { SchemaView } from './schema-view.js';
import { LiveSession } from './live-session.js';
import { TryIt } from './try-it.js';

/** The complete description of an operation, and a form to call it. */
export function OperationDetails(props: {
  readonly operation: DescribedOperation;
  readonly control: ControlClient;
}): JSX.Element {
  const { operation, control } = props;
  return (
    <article>
      <h2>
        <b class={`method ${operation.method.toLowerCase()}`}>{operation.method}</b>{' '}
        <span class="path">{operation.path}</span>
      </h2>
      <p>
        {operation.summary} <code>{operation.id}</code>
        {operation.deprecated ? <strong> Deprecated.</strong> : null}
      </p>
      {operation.description === undefined ? null : <Markdown text={operation.description} />}
      {operation.helpers.length === 0 ? null : <Helpers operation={operation} />}
      {operation.isLive ? <LiveSession operation={operation} /> : <TryIt operation={operation} control={control} />}
      <Parameters operation={operation} />
      {operation.body === undefined ? null : (
        <section>
          <h3>Request body{operation.body.required ? '' : ' (optional)'}</h3>
          {operation.body.description === undefined ? null : <Markdown text={operation.body.description} />}
          <Contents content={operation.body.content} schemas={operation.schemas} />
        </section>
      )}
      <Responses operation={operation} />
    </article>
  );
}

function Helpers({ operation }: { readonly operation: DescribedOperation }): JSX.Element {
  return (
    <section>
      <h3>Client helpers</h3>
      <ul>
        {operation.helpers.map(({ name, value }) => (
          <li>
            <code>{name}</code>: <code>{JSON.stringify(value)}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Parameters({ operation }: { readonly operation: DescribedOperation }): JSX.Element | null {
  if (operation.parameters.length === 0) return null;
  return (
    <section>
      <h3>Parameters</h3>
      <dl>
        {operation.parameters.map(({ name, in: location, required, description, schema }) => (
          <>
            <dt>
              <code>{name}</code> <span class="muted">{`in ${location}${required ? ', required' : ''}`}</span>
            </dt>
            <dd>
              <SchemaView schema={schema} schemas={operation.schemas} />
              {description === undefined ? null : <Markdown text={description} />}
            </dd>
          </>
        ))}
      </dl>
    </section>
  );
}

function Responses({ operation }: { readonly operation: DescribedOperation }): JSX.Element {
  return (
    <section>
      <h3>Responses</h3>
      <dl>
        {operation.responses.map(({ status, description, headers, content }) => (
          <>
            <dt>
              <b>{status}</b>
            </dt>
            <dd>
              <Markdown text={description} />
              {headers.length === 0 ? null : <p class="muted">Headers: {headers.map(({ name }) => name).join(', ')}</p>}
              <Contents content={content} schemas={operation.schemas} />
            </dd>
          </>
        ))}
      </dl>
    </section>
  );
}

function Contents(props: {
  readonly content: readonly DescribedContent[];
  readonly schemas: DescribedOperation['schemas'];
}): JSX.Element {
  return (
    <>
      {props.content.map(({ mediaType, schema, examples }) => (
        <div class="content">
          <p class="muted">{mediaType}</p>
          {schema === undefined ? null : <SchemaView schema={schema} schemas={props.schemas} />}
          {examples.map(({ name, text }) => (
            <Opener label={`Example ${name}`}>{() => <pre tabIndex={0}>{text}</pre>}</Opener>
          ))}
        </div>
      ))}
    </>
  );
}
