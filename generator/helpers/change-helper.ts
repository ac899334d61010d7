import { appendPointer } from '../../model/document/pointer.js';
import type { Operation } from '../../model/api.js';
import { printValue } from '../fixtures/print-value.js';
import { type HelperFunction, type HelperScope, memberOf } from './helper-scope.js';
import type { ChangeValue } from '../../model/helper-values.js';
import { listReadOnly } from './read-only-members.js';
import { responseSchema, bodySchema, givesHeader, schemaAt, takesHeader } from './schema-at.js';

/** Reads `<operation>With`, the helper of an operation with `x-read-before-write`. */
export function readChange(operation: Operation, scope: HelperScope): HelperFunction | undefined {
  const value = scope.extension(operation, 'x-read-before-write') as ChangeValue | undefined;
  if (value === undefined) return undefined;
  const refuse = (problem: string, member: string): undefined =>
    scope.refuse(operation, 'x-read-before-write', problem, member);
  const read = scope.find(value.read);
  if (read === undefined) return refuse(`the API has no operation ${JSON.stringify(value.read)}.`, '/read');
  const body = bodySchema(operation);
  const draft = body === undefined ? undefined : schemaAt(scope.api, body, value.to ?? '');
  if (draft === undefined) return refuse(`the body has no ${JSON.stringify(value.to ?? '')}.`, memberOf(value, 'to'));
  const response = responseSchema(read);
  if (response === undefined || schemaAt(scope.api, response, value.from ?? '') === undefined)
    return refuse(`the response of ${value.read} has no ${JSON.stringify(value.from ?? '')}.`, memberOf(value, 'from'));
  const { etag } = value;
  if (etag !== undefined && !takesHeader(operation, etag.condition))
    return refuse(`the operation has no header parameter ${JSON.stringify(etag.condition)}.`, '/etag/condition');
  if (etag?.header !== undefined && !givesHeader(read, etag.header))
    return refuse(`the response of ${value.read} has no header ${JSON.stringify(etag.header)}.`, '/etag/header');
  const readOnly = listReadOnly(scope.api, draft);
  const plan = {
    ...planOf(operation, read, value),
    ...(readOnly === undefined ? {} : { readOnly: readOnly.rules, schema: readOnly.start }),
  };
  return view(operation, read, { scope, plan, draft: scope.typeOf(draft, 'input') });
}

function planOf(
  operation: Operation,
  read: Operation,
  { from, to, copy = {}, etag, conflict = [412] }: ChangeValue,
): object {
  const pathNames = ({ parameters }: Operation): string[] =>
    parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const shared = pathNames(operation).filter((name) => pathNames(read).includes(name));
  const pointers = shared.map((name) => appendPointer('/path', name));
  return {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    copy: [...pointers.map((pointer) => [pointer, pointer]), ...Object.entries(copy)],
    ...(etag === undefined
      ? {}
      : { etag: { ...etag, ...(etag.header === undefined ? {} : { header: etag.header.toLowerCase() }) } }),
    conflict,
  };
}

interface ChangeView {
  readonly scope: HelperScope;
  readonly plan: object;
  /** Type of the changed value. */
  readonly draft: string;
}

function view(operation: Operation, read: Operation, { scope, plan, draft }: ChangeView): HelperFunction {
  const { imports } = scope;
  const [reading, writing] = [scope.typesOf(read), scope.typesOf(operation)];
  const call = (target: Operation, type: string): string =>
    `(request: ${scope.namespace}.${type}) => operations.${target.name}(context, request, options)`;
  return {
    name: `${operation.name}With`,
    summary: `reads with \`${read.name}\`, changes, and writes with \`${operation.name}\`, keeping all other members`,
    doc: 'The change edits its draft, or returns another one. It is repeated after a conflict with another writer.\n\n@throws Everything that either call throws.',
    parameters: [
      { name: 'request', type: `${scope.namespace}.${reading.request}` },
      { name: 'change', type: `(draft: ${draft}) => ${draft} | void | Promise<${draft} | void>` },
      { name: 'options', type: imports.use('ChangeOptions'), isOptional: true },
    ],
    returnType: `Promise<${scope.namespace}.${writing.response}>`,
    code: `${imports.use('readChangeWrite')}(\n  {\n    read: ${call(read, reading.request)},\n    write: ${call(operation, writing.request)},\n  },\n  ${printValue(plan, '  ')},\n  { request, change, options },\n)`,
  };
}
