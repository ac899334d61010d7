import type { Api } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { surveySchema } from '../../model/schema-survey.js';

/** Returns whether the schema at a place also describes bodies of requests. */
export function findSentPlaces(api: Api): (at: SourceLocation) => boolean {
  const bodies = api.operations.flatMap(({ body }) => body?.content ?? []);
  const names = new Set<string>();
  const open = bodies.flatMap(({ schema }) => schema ?? []);
  for (let schema = open.pop(); schema !== undefined; schema = open.pop())
    for (const name of surveySchema(schema).refs) {
      const named = names.has(name) ? undefined : api.schemas.get(name);
      names.add(name);
      if (named !== undefined) open.push(named.schema);
    }
  const sources = [
    ...[...names].flatMap((name) => api.schemas.get(name)?.source ?? []),
    ...bodies.map(({ source }) => source),
  ];
  return ({ file, pointer }) =>
    sources.some((source) => source.file === file && `${pointer}/`.startsWith(`${source.pointer}/`));
}
