import type { ComponentChildren, JSX } from 'preact';

import { type Schema, type SchemaObject, refName } from '../../../model/schema-types.js';
import { Opener } from './opener.js';

interface SchemaViewProps {
  readonly schema: Schema;
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** Shows a schema as a readable type, with members, their types and bounds. Named types open in place. */
export function SchemaView(props: SchemaViewProps): JSX.Element {
  return (
    <div class="schema">
      <TypeView {...props} />
    </div>
  );
}

function TypeView({ schema, schemas }: SchemaViewProps): JSX.Element {
  if (typeof schema === 'boolean') return <span class="type">{schema ? 'anything' : 'nothing'}</span>;
  if (schema.$ref !== undefined) return <NamedType name={refName(schema.$ref)} schemas={schemas} />;
  const alternatives = schema.oneOf ?? schema.anyOf;
  return (
    <>
      <span class="type">{typeText(schema)}</span> <Bounds schema={schema} />
      {schema.properties === undefined ? null : <Members schema={schema} schemas={schemas} />}
      {schema.items === undefined ? null : <Labelled label="items" schemas={schemas} list={[schema.items]} />}
      {schema.allOf === undefined ? null : <Labelled label="all of" schemas={schemas} list={schema.allOf} />}
      {alternatives === undefined ? null : <Labelled label="one of" schemas={schemas} list={alternatives} />}
    </>
  );
}

function NamedType({ name, schemas }: { readonly name: string } & Pick<SchemaViewProps, 'schemas'>): JSX.Element {
  const schema = schemas[name];
  if (schema === undefined) return <span class="type">{name}</span>;
  // The content is rendered only while it is open, so recursive types end.
  return <Opener label={name}>{() => <TypeView schema={schema} schemas={schemas} />}</Opener>;
}

function Members({
  schema,
  schemas,
}: { readonly schema: SchemaObject } & Pick<SchemaViewProps, 'schemas'>): JSX.Element {
  const required = new Set(schema.required);
  return (
    <ul>
      {Object.entries(schema.properties ?? {}).map(([name, member]) => (
        <li>
          <code>
            {name}
            {required.has(name) ? '' : '?'}
          </code>
          {': '}
          <TypeView schema={member} schemas={schemas} />
          {typeof member === 'object' && member.description !== undefined ? (
            <span class="muted"> {firstSentence(member.description)}</span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function Labelled(props: {
  readonly label: string;
  readonly list: readonly Schema[];
  readonly schemas: SchemaViewProps['schemas'];
}): JSX.Element {
  return (
    <ul>
      {props.list.map((schema) => (
        <li>
          <span class="muted">{props.label} </span>
          <TypeView schema={schema} schemas={props.schemas} />
        </li>
      ))}
    </ul>
  );
}

function typeText(schema: SchemaObject): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0) return schema.properties === undefined ? '' : 'object';
  return types.join(' | ');
}

const BOUNDS = [
  ['minimum', '≥'],
  ['exclusiveMinimum', '>'],
  ['maximum', '≤'],
  ['exclusiveMaximum', '<'],
  ['minLength', 'length ≥'],
  ['maxLength', 'length ≤'],
  ['minItems', 'items ≥'],
  ['maxItems', 'items ≤'],
  ['pattern', 'pattern'],
  ['default', 'default'],
] as const;

function Bounds({ schema }: { readonly schema: SchemaObject }): ComponentChildren {
  const shown = BOUNDS.flatMap(([key, words]) =>
    schema[key] === undefined
      ? []
      : [`${words} ${typeof schema[key] === 'string' ? schema[key] : JSON.stringify(schema[key])}`],
  );
  if (schema.format !== undefined) shown.unshift(schema.format);
  return shown.length === 0 ? null : <span class="muted">({shown.join(', ')})</span>;
}

function firstSentence(text: string): string {
  return /^[^\n]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.split('\n', 1)[0] ?? '';
}
