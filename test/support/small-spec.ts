/** Parts of small specs, for tests that need many of them. */
export const TEXT = { type: 'string' } as const;

type Schema = Readonly<Record<string, unknown>>;

/** An object with members, all of them required unless others are named. */
export function object(
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[] = Object.keys(properties),
): Schema {
  return { type: 'object', required, properties };
}

export function listOf(items: unknown): Schema {
  return { type: 'array', items };
}

/** An operation, by `METHOD /path id`. */
export interface Shape {
  readonly takes?: Schema;
  readonly returns?: Schema;
  readonly query?: Readonly<Record<string, Schema>>;
  /** Schemas of path parameters that are no text. */
  readonly path?: Readonly<Record<string, Schema>>;
  readonly headers?: Readonly<Record<string, object>>;
  readonly status?: number;
}

/** Builds a document from operations such as `GET /books/{id} readBook`. */
export function smallSpec(
  shapes: Readonly<Record<string, Shape>>,
  schemas: Readonly<Record<string, Schema>> = {},
): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [key, shape] of Object.entries(shapes)) {
    const [method = '', path = '', operationId = ''] = key.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = { operationId, ...operation(path, shape) };
  }
  return { openapi: '3.1.0', info: { title: 'Small', version: '1' }, paths, components: { schemas } };
}

function operation(
  path: string,
  { takes, returns, query = {}, path: inPath = {}, headers, status = 200 }: Shape,
): object {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const parameters = [
    ...names.map((name) => ({ name, in: 'path', required: true, schema: inPath[name] ?? TEXT })),
    ...Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema })),
  ];
  const done = { description: 'Done.', ...(headers === undefined ? {} : { headers }), ...(returns && json(returns)) };
  const refusals = { 400: { description: 'Refused.' }, 404: { description: 'Unknown.' } };
  const requestBody = takes && { requestBody: { required: true, ...json(takes) } };
  return { parameters, ...requestBody, responses: { [status]: done, ...refusals } };
}

function json(schema: Schema): object {
  return { content: { 'application/json': { schema } } };
}
