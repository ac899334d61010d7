import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { toLineComment } from '../../../model/identifiers.js';
import type { DescribedContent, DescribedCredential, DescribedOperation, DescribedParameter } from '../views.js';
import { type BuiltRequest, type FormValues, buildRequest, keyOf } from './build-request.js';
import { apiUrl, type ControlClient } from './control-client.js';
import { JsonEditor } from './json-editor.js';
import { Alert, messageOf } from './load.js';
import { type SentResponse, DescribedResponse, sendRequest } from './response-view.js';
import { toClientCall, toCurl } from './show-request.js';
import { Violations } from './violations.js';
import type { Violation } from '../../../http/messages.js';

interface TryItProps {
  readonly operation: DescribedOperation;
  readonly control: ControlClient;
}

/** The form of an operation, prefilled from an example. Requests are checked before they are sent. */
export function TryIt({ operation, control }: TryItProps): JSX.Element {
  const [values, setValues] = useState(() => initialValues(operation));
  const [violations, setViolations] = useState<readonly Violation[]>([]);
  const [response, setResponse] = useState<SentResponse>();
  const [error, setError] = useState<string>();
  const change = (next: Partial<FormValues>): void => setValues((before) => ({ ...before, ...next }));

  const withRequest = async (run: (request: BuiltRequest) => Promise<void>): Promise<void> => {
    setError(undefined);
    try {
      await run(buildRequest(operation, values));
    } catch (failure) {
      setError(messageOf(failure));
    }
  };
  const check = (): Promise<void> =>
    withRequest(async ({ method, target, headers, body }) => {
      const found = await control.checkRequest({
        method,
        target,
        headers,
        ...(typeof body === 'string' ? { body } : {}),
      });
      setViolations(found.violations);
    });
  const send = (): Promise<void> =>
    withRequest(async (request) => {
      if (!(request.body instanceof Blob)) await check();
      await sendRequest(request, control, setResponse);
    });

  return (
    <section>
      <h3>Try it</h3>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Credentials operation={operation} values={values} onChange={change} />
        {operation.parameters.map((parameter) => (
          <ParameterField parameter={parameter} values={values} onChange={change} />
        ))}
        <BodyFields operation={operation} values={values} onChange={change} />
        <Alert error={error} />
        <Violations title="The request does not match the spec" violations={violations} />
        <p class="row">
          <button type="submit" class="primary">
            Send
          </button>
          <button type="button" onClick={() => void check()}>
            Check
          </button>
        </p>
      </form>
      <Lines operation={operation} values={values} sandbox={control.sandbox} />
      {response === undefined ? null : <DescribedResponse response={response} />}
    </section>
  );
}

interface FieldProps {
  readonly values: FormValues;
  readonly onChange: (next: Partial<FormValues>) => void;
}

function ParameterField(props: FieldProps & { readonly parameter: DescribedParameter }): JSX.Element {
  const { parameter, values, onChange } = props;
  const key = keyOf(parameter);
  const hint = `in ${parameter.in}${parameter.required ? ', required' : ''}`;
  return (
    <label class="field">
      <span>{parameter.name}</span>
      <input
        value={values.parameters[key] ?? ''}
        placeholder={parameter.sample}
        title={hint}
        spellcheck={false}
        onInput={(event) => onChange({ parameters: { ...values.parameters, [key]: event.currentTarget.value } })}
      />
    </label>
  );
}

function Credentials(props: FieldProps & { readonly operation: DescribedOperation }): JSX.Element {
  const { operation, values, onChange } = props;
  const field = (label: string, key: string, isSecret: boolean): JSX.Element => (
    <label class="field">
      <span>{label}</span>
      <input
        class={isSecret ? 'secret' : ''}
        spellcheck={false}
        autocomplete="off"
        value={values.credentials[key] ?? ''}
        onInput={(event) => {
          const credentials = { ...values.credentials, [key]: event.currentTarget.value };
          rememberCredentials(credentials);
          onChange({ credentials });
        }}
      />
    </label>
  );
  return (
    <>
      {operation.security.map((scheme) => (
        <>
          {scheme.kind === 'basic' ? field('Username', `${scheme.id} user`, false) : null}
          {field(labelOf(scheme), scheme.id, true)}
        </>
      ))}
    </>
  );
}

function labelOf({ kind, name }: DescribedCredential): string {
  if (kind === 'basic') return 'Password';
  return kind === 'bearer' ? 'Token' : name;
}

function BodyFields(props: FieldProps & { readonly operation: DescribedOperation }): JSX.Element | null {
  const { operation, values, onChange } = props;
  const content = operation.body?.content ?? [];
  const chosen = content.find(({ mediaType }) => mediaType === values.mediaType);
  if (chosen === undefined) return null;
  return (
    <fieldset>
      <legend>Request body</legend>
      {content.length < 2 ? null : (
        <label class="field">
          <span>Media type</span>
          <select
            value={values.mediaType}
            onChange={(event) => {
              const next = content.find(({ mediaType }) => mediaType === event.currentTarget.value);
              onChange({ mediaType: next?.mediaType, body: next?.examples[0]?.text ?? '', files: {} });
            }}
          >
            {content.map(({ mediaType }) => (
              <option>{mediaType}</option>
            ))}
          </select>
        </label>
      )}
      {chosen.examples.length < 2 ? null : (
        <p class="row">
          {chosen.examples.map(({ name, text }) => (
            <button type="button" onClick={() => onChange({ body: text })}>
              {name}
            </button>
          ))}
        </p>
      )}
      {isBinary(chosen) ? null : (
        <JsonEditor key={values.mediaType} label="Body" value={values.body} onChange={(body) => onChange({ body })} />
      )}
      {fileMembers(chosen, operation).map((name) => (
        <label class="field">
          <span>{name === '' ? 'File' : name}</span>
          <input
            type="file"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file !== undefined) onChange({ files: { ...values.files, [name]: file } });
            }}
          />
        </label>
      ))}
    </fieldset>
  );
}

function Lines(props: {
  readonly operation: DescribedOperation;
  readonly values: FormValues;
  readonly sandbox: string;
}): JSX.Element {
  const { operation, values, sandbox } = props;
  let curl: string;
  let client = '';
  try {
    curl = toCurl(buildRequest(operation, values), apiUrl(), sandbox);
    client = toClientCall(operation, values);
  } catch (error) {
    curl = `# ${toLineComment(messageOf(error))}`;
  }
  return (
    <details>
      <summary>As a command and as code</summary>
      <pre tabIndex={0} aria-label="curl">
        {curl}
      </pre>
      <pre tabIndex={0} aria-label="client">
        {client}
      </pre>
    </details>
  );
}

function initialValues(operation: DescribedOperation): FormValues {
  const required = operation.parameters.filter((parameter) => parameter.required);
  const [content] = operation.body?.content ?? [];
  return {
    parameters: Object.fromEntries(required.map((parameter) => [keyOf(parameter), parameter.sample])),
    credentials: { ...sampleCredentials(operation), ...recallCredentials() },
    mediaType: content?.mediaType,
    body: content?.examples[0]?.text ?? '',
    files: {},
  };
}

/** Without a list of credentials, a mock accepts any text. */
function sampleCredentials({ security }: DescribedOperation): Record<string, string> {
  return Object.fromEntries(
    security.flatMap(({ id, kind }) => [[id, 'specmill'], ...(kind === 'basic' ? [[`${id} user`, 'specmill']] : [])]),
  ) as Record<string, string>;
}

const CREDENTIALS = 'specmill-credentials';

/** Reads the credentials of this tab; they are never stored elsewhere. */
function recallCredentials(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(CREDENTIALS) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

function rememberCredentials(credentials: Readonly<Record<string, string>>): void {
  sessionStorage.setItem(CREDENTIALS, JSON.stringify(credentials));
}

function isBinary({ mediaType, schema }: DescribedContent): boolean {
  const isText = /json|text|xml|form|yaml|graphql/.test(mediaType);
  return !isText || (typeof schema === 'object' && schema.format === 'binary');
}

/** Returns the form members that are files. An empty name means that the whole body is a file. */
function fileMembers(content: DescribedContent, { schemas }: DescribedOperation): string[] {
  if (isBinary(content)) return [''];
  if (!content.mediaType.startsWith('multipart/')) return [];
  const { schema } = content;
  const target =
    typeof schema === 'object' && schema.$ref !== undefined ? schemas[schema.$ref.slice('#/$defs/'.length)] : schema;
  if (typeof target !== 'object') return [];
  return Object.entries(target.properties ?? {}).flatMap(([name, member]) =>
    typeof member === 'object' && (member.format === 'binary' || member.contentMediaType !== undefined) ? [name] : [],
  );
}
