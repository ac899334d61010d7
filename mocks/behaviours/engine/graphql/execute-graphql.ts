import type { EngineOperations, GraphqlError, GraphqlResponse } from '../../../../generated/engine/types.js';
import { isRecord } from '../../../../model/document/records.js';
import type { BehaviourContext, Handler } from '../../../seams/behaviour.js';
import { EngineRefusal } from '../engine-refusal.js';
import { fieldsOf } from '../rows.js';
import type { GraphqlDocument, GraphqlOperation } from './graphql-document.js';
import { parseGraphql } from './parse-graphql.js';
import { RequestError } from './request-error.js';
import { resolveField } from './resolve-field.js';
import { type RootField, findRootFields } from './root-fields.js';
import { type Field, selectFields } from './select-fields.js';

type Context = Pick<BehaviourContext, 'collection'>;
type Variables = ReadonlyMap<string, unknown>;

const LIST_FIELDS: ReadonlySet<string> = new Set(['items', 'hasNextPage', 'endCursor']);

/** Executes a document over the rows; what is wrong with it is in `errors` of an answer with 200. */
export const executeGraphql: Handler<EngineOperations['executeGraphql']> = async (call) => {
  const { query, operationName, variables } = call.input.body;
  try {
    const document = parseGraphql(query);
    const operation = chooseOperation(document, operationName ?? undefined);
    const values = readVariables(operation, variables ?? {});
    const fields = selectFields(operation.selections, { fragments: document.fragments, variables: values });
    return call.reply(200, await execute(call, { kind: operation.kind, fields, variables: values }));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return call.reply(200, { errors: [describe(error)] });
  }
};

function describe({ code, message, place }: RequestError): GraphqlError {
  const locations = place === undefined ? {} : { locations: [{ line: place.line, column: place.column }] };
  return { message, ...locations, extensions: { code } };
}

function chooseOperation({ operations }: GraphqlDocument, name: string | undefined): GraphqlOperation {
  const [only, ...others] = operations;
  if (name === undefined && only !== undefined && others.length === 0) return only;
  const named = operations.find((operation) => operation.name === name);
  if (name !== undefined && named !== undefined) return named;
  const message =
    name === undefined
      ? 'The document must have one operation, or operationName must name one of them.'
      : `There is no operation ${name}.`;
  throw new RequestError('VALIDATION_FAILED', message);
}

function readVariables({ variables }: GraphqlOperation, given: Readonly<Record<string, unknown>>): Variables {
  const values = new Map<string, unknown>();
  for (const { name, isRequired, byDefault } of variables) {
    const value = Object.hasOwn(given, name) ? given[name] : byDefault?.(values);
    if (isRequired && (value === undefined || value === null))
      throw new RequestError('VALIDATION_FAILED', `The variable $${name} must have a value.`);
    values.set(name, value);
  }
  return values;
}

/** Fields are executed one after another, as mutations must be. */
async function execute(
  context: Context,
  {
    kind,
    fields,
    variables,
  }: { readonly kind: 'query' | 'mutation'; readonly fields: readonly Field[]; readonly variables: Variables },
): Promise<GraphqlResponse> {
  const type = kind === 'query' ? 'Query' : 'Mutation';
  const roots = await findRootFields(context, kind);
  for (const field of fields) await validateRoot(context, field, { type, root: roots.get(field.name) });
  const data = new Map<string, unknown>();
  const errors: GraphqlError[] = [];
  for (const field of fields) {
    const root = roots.get(field.name);
    try {
      data.set(field.alias, root === undefined ? type : await executeRoot(context, field, { root, variables }));
    } catch (error) {
      if (!(error instanceof EngineRefusal)) throw error;
      const { message, status } = error;
      errors.push({ message, locations: [field.place], path: [field.alias], extensions: { code: CODES[status] } });
      data.set(field.alias, null);
    }
  }
  return { data: Object.fromEntries(data), ...(errors.length === 0 ? {} : { errors }) };
}

const CODES: Readonly<Record<EngineRefusal['status'], string>> = {
  400: 'BAD_REQUEST',
  403: 'AUTH_NOT_AUTHORIZED',
  404: 'ITEM_NOT_FOUND',
  409: 'CONFLICT',
};

async function validateRoot(
  context: Context,
  field: Field,
  { type, root }: { readonly type: string; readonly root: RootField | undefined },
): Promise<void> {
  const { name, place, fields, args } = field;
  checkFragment(field, type);
  if (name === '__schema' || name === '__type')
    throw new RequestError('INTROSPECTION_NOT_ALLOWED', 'This mock does not answer queries of the schema.', place);
  if (name === '__typename') return;
  if (root === undefined) throw unknownField(field, type);
  for (const argument of args.keys()) {
    if (!root.args.includes(argument))
      throw new RequestError('VALIDATION_FAILED', `The field \`${name}\` has no argument \`${argument}\`.`, place);
  }
  if (fields === undefined)
    throw new RequestError('VALIDATION_FAILED', `The field \`${name}\` must have a selection of fields.`, place);
  const known = await fieldsOf(context, root.entity);
  if (root.action !== 'list') return validateRow(fields, root.entity.name, known);
  for (const one of fields) {
    checkFragment(one, `${root.entity.name}Connection`);
    if (one.name === '__typename') continue;
    if (!LIST_FIELDS.has(one.name)) throw unknownField(one, `${root.entity.name}Connection`);
    if ((one.name === 'items') !== (one.fields !== undefined)) throw wrongSelection(one);
    validateRow(one.fields ?? [], root.entity.name, known);
  }
}

function validateRow(fields: readonly Field[], type: string, known: ReadonlySet<string>): void {
  for (const field of fields) {
    checkFragment(field, type);
    if (field.name !== '__typename' && !known.has(field.name)) throw unknownField(field, type);
    if (field.fields !== undefined) throw wrongSelection(field);
  }
}

/** A fragment is for the type that it stands in: there are no others that it could be. */
function checkFragment({ on }: Field, type: string): void {
  const other = on.find((one) => one.type !== type);
  if (other === undefined) return;
  const message = `A fragment on \`${other.type}\` cannot stand in the type \`${type}\`.`;
  throw new RequestError('VALIDATION_FAILED', message, other.place);
}

function unknownField({ name, place }: Field, type: string): RequestError {
  return new RequestError('VALIDATION_FAILED', `The field \`${name}\` does not exist on the type \`${type}\`.`, place);
}

function wrongSelection({ name, fields, place }: Field): RequestError {
  const must = fields === undefined ? 'must' : 'must not';
  return new RequestError('VALIDATION_FAILED', `The field \`${name}\` ${must} have a selection of fields.`, place);
}

async function executeRoot(
  context: Context,
  field: Field,
  { root, variables }: { readonly root: RootField; readonly variables: Variables },
): Promise<unknown> {
  const args = Object.fromEntries([...field.args].map(([name, value]) => [name, value(variables)]));
  const found = await resolveField(context, root, args);
  if (found === null) return null;
  const { name } = root.entity;
  if (root.action !== 'list') return select(found, field.fields ?? [], name);
  const rows = Array.isArray(found['items']) ? found['items'].filter(isRecord) : [];
  const entries = (field.fields ?? []).map((one) => {
    if (one.name === '__typename') return [one.alias, `${name}Connection`];
    return [one.alias, one.name === 'items' ? rows.map((row) => select(row, one.fields ?? [], name)) : found[one.name]];
  });
  return Object.fromEntries(entries);
}

function select(
  row: Readonly<Record<string, unknown>>,
  fields: readonly Field[],
  type: string,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields.map(({ name, alias }) => [
      alias,
      name === '__typename' ? type : Object.hasOwn(row, name) ? row[name] : null,
    ]),
  );
}
