import { type DraftedOperation, printOperation, printPathParameter } from './print-operation.js';
import { type TemplatePart, nounOf, operationName, parameterName } from './operation-names.js';
import type { HostTraffic } from './host-traffic.js';
import type { PathNode } from './path-tree.js';
import { type DraftSchema, type PrintContext, printOwn } from './print-schema.js';
import { SharedShapes, type ShapePlace } from './shared-shapes.js';
import { NameAllocator } from '../../model/identifiers.js';
import { settlePaths } from './settle-paths.js';

/** An OpenAPI document, and how many operations it has. */
export interface Draft {
  readonly document: DraftSchema;
  readonly operations: number;
}

interface PathItem {
  readonly template: string;
  readonly parameters: readonly DraftSchema[];
  readonly operations: readonly DraftedOperation[];
}

/** Writes the OpenAPI document of the calls to a host. */
export function writeDraft({ tree, origins, calls, schemes }: HostTraffic): Draft {
  settlePaths(tree.root);
  const items = [...listItems(tree.root)];
  const operations = items.flatMap((item) => item.operations);
  const context = { shared: findShared(operations) };
  const title = origins[0] === undefined ? 'Recorded API' : new URL(origins[0]).host;
  const used = new Set(
    operations.flatMap(({ shape }) => [...shape.requests.security.keys()].flatMap((set) => set.split(' '))),
  );
  const document = {
    openapi: '3.1.0',
    info: {
      title,
      version: '0.0.0',
      description: `Drafted from ${calls === 1 ? 'one recorded call' : `${calls} recorded calls`}. Each member \`x-guess\` says what was concluded, and from what.`,
    },
    ...(origins.length === 0 ? {} : { servers: origins.map((url) => ({ url })) }),
    paths: Object.fromEntries(items.map((item) => [item.template, printItem(item, context)])),
    ...printComponents(
      context,
      [...schemes].filter(([id]) => used.has(id)),
    ),
  };
  return { document, operations: operations.length };
}

function printItem({ parameters, operations }: PathItem, context: PrintContext): DraftSchema {
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    ...Object.fromEntries(operations.map((one) => [one.method.toLowerCase(), printOperation(one, context)])),
  };
}

function printComponents(context: PrintContext, schemes: readonly (readonly [string, object])[]): DraftSchema {
  const schemas = context.shared.map(({ name, shape, operations }): [string, DraftSchema] => {
    const { 'x-guess': guess, ...schema } = printOwn(shape, context);
    const shared = `Objects of this shape are at ${operations} operations.`;
    return [name, { ...schema, 'x-guess': typeof guess === 'string' ? `${shared} ${guess}` : shared }];
  });
  const components = {
    ...(schemas.length === 0 ? {} : { schemas: Object.fromEntries(schemas) }),
    ...(schemes.length === 0 ? {} : { securitySchemes: Object.fromEntries(schemes) }),
  };
  return Object.keys(components).length === 0 ? {} : { components };
}

interface Walk {
  readonly parts: readonly TemplatePart[];
  readonly parameters: readonly DraftSchema[];
  readonly ids: NameAllocator;
}

function* listItems(root: PathNode): Iterable<PathItem> {
  yield* walk(root, { parts: [], parameters: [], ids: new NameAllocator() });
}

function* walk(node: PathNode, { parts, parameters, ids }: Walk): Iterable<PathItem> {
  if (node.operations.size > 0) {
    const template = parts
      .map(({ prefix, text, isParameter }) => `${prefix}${isParameter ? `{${text}}` : text}`)
      .join('');
    const operations = [...node.operations].map(([method, shape]): DraftedOperation => {
      return { id: ids.take(operationName(method, parts, shape)), method, parts, shape };
    });
    yield { template: template === '' ? '/' : template, parameters, operations };
  }
  const words = [...node.words].sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [word, child] of words) {
    const part = { prefix: child.prefix, text: word.slice(1), isParameter: false };
    yield* walk(child, { parts: [...parts, part], parameters, ids });
  }
  const { values } = node;
  if (values === undefined) return;
  const name = parameterName(parts, values.kinds);
  const part = { prefix: '/' as const, text: name, isParameter: true };
  const inner = [...parameters, printPathParameter(name, values)];
  yield* walk(values, { parts: [...parts, part], parameters: inner, ids });
}

function findShared(operations: readonly DraftedOperation[]): PrintContext['shared'] {
  const shared = new SharedShapes();
  for (const { id, parts, shape } of operations) {
    const name = nounOf(parts.filter(({ prefix }) => prefix !== ':')) || 'Item';
    const place = (group: ShapePlace['group']): ShapePlace => ({ group, name, operation: id });
    for (const { shape: one } of shape.requests.media.values())
      if (one !== undefined) shared.add(one, place('request'));
    for (const [status, { media }] of shape.responses)
      for (const { shape: one } of media.values())
        if (one !== undefined) shared.add(one, place(status < 400 ? 'result' : 'error'));
  }
  return shared.shared;
}
