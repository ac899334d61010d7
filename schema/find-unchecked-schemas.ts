import type { Api, MediaType, Operation } from '../model/api.js';
import type { DiagnosticCode } from '../model/diagnostics/codes.js';
import { createDiagnostic } from '../model/diagnostics/create-diagnostic.js';
import type { Diagnostic, SourceLocation } from '../model/diagnostics/diagnostic.js';
import { appendPointer } from '../model/document/pointer.js';
import { type Schema, type SchemaObject, refName } from '../model/schema-types.js';
import { explainAlikeBranches } from './find-alike-branches.js';
import { FORMATS, UNCHECKED_FORMATS } from './known-formats.js';
import { closesInPlaceCycle } from './in-place-cycles.js';
import { createLinearPattern } from './linear-pattern.js';
import { compilePattern } from './compile-pattern.js';
import { COSTLY_LENGTH, canBacktrackForever } from './sample/pattern.js';
import { findSchemaSource } from '../model/schema-source.js';
import { placedChildren, surveySchema } from '../model/schema-survey.js';
import { type Direction, namedView, schemaView } from './variants.js';
import { stringifyExactJson } from '../runtime/json-integers.js';

/** A schema, its place, and the direction in which it is used. */
interface Placed {
  readonly schema: Schema;
  readonly source: SourceLocation;
  readonly direction: Direction;
}

/**
 * Finds the parts of an API's schemas that cannot be checked exactly. Steps are small, so that a caller can do other
 * work in between.
 *
 * @example
 * for (const diagnostics of findUnchecked(api)) diagnostics.forEach(report);
 */
export function* findUnchecked(
  api: Api,
  operations: readonly Operation[] = api.operations,
): Iterable<readonly Diagnostic[]> {
  for (const name of api.schemas.keys()) yield findUncheckedNamed(api, name);
  for (const operation of operations) {
    for (const { schema, source, direction } of schemasOf(operation))
      yield findUncheckedView(api, schemaView(schema, api, direction), { source: findSchemaSource(schema) ?? source });
  }
}

/** Finds the parts of a schema, and of schemas that it references, that cannot be checked exactly. */
export function findUncheckedIn(
  api: Api,
  schema: Schema,
  { direction, source }: { readonly direction: Direction; readonly source?: SourceLocation },
): readonly Diagnostic[] {
  const view = schemaView(schema, api, direction);
  const place = findSchemaSource(schema) ?? source ?? { file: api.files[0]?.path ?? '', pointer: '' };
  const own = findUncheckedView(api, view, { source: place });
  const names = new Set(surveySchema(schema).refs);
  // The set grows during the loop.
  for (const name of names) for (const ref of surveySchema(api.schemas.get(name)?.schema ?? true).refs) names.add(ref);
  return [...own, ...[...names].flatMap((name) => findUncheckedNamed(api, name))];
}

/** The parts of a named schema that cannot be checked exactly. */
function findUncheckedNamed(api: Api, name: string): readonly Diagnostic[] {
  const source = api.schemas.get(name)?.source;
  return source === undefined ? [] : findUncheckedView(api, namedView(name, api) ?? true, { name, source });
}

/** The parts of a view that cannot be checked exactly. */
function findUncheckedView(
  api: Api,
  view: Schema,
  { name, source }: { readonly name?: string; readonly source: SourceLocation },
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const report = (code: DiagnosticCode, pointer: string, message: string): void => {
    found.push(createDiagnostic(code, { file: source.file, pointer: source.pointer + pointer }, message));
  };
  const visit = (schema: Schema, pointer: string, isRoot: boolean): void => {
    if (typeof schema === 'boolean') return;
    checkStrings(schema, pointer, report);
    const alike = explainAlikeBranches(schema, api);
    if (alike !== undefined) report('branches-alike', appendPointer(pointer, 'oneOf'), alike);
    if (schema.$ref !== undefined) checkRef(schema.$ref, { api, name: isRoot ? name : undefined, pointer, report });
    for (const [child, place] of placedChildren(schema)) {
      const [keyword = ''] = place;
      if (keyword === 'contentSchema') continue;
      visit(child, place.reduce(appendPointer, pointer), isRoot && IN_PLACE.has(keyword));
    }
  };
  visit(view, '', true);
  return found;
}

type Report = (code: DiagnosticCode, pointer: string, message: string) => void;

function checkStrings(
  { pattern, patternProperties = {}, format }: SchemaObject,
  pointer: string,
  report: Report,
): void {
  if (pattern !== undefined) checkPattern(pattern, appendPointer(pointer, 'pattern'), report);
  for (const one of Object.keys(patternProperties))
    checkPattern(one, appendPointer(appendPointer(pointer, 'patternProperties'), one), report);
  if (format !== undefined && !FORMATS.has(format) && !UNCHECKED_FORMATS.has(format))
    report(
      'format-unknown',
      appendPointer(pointer, 'format'),
      `The format ${stringifyExactJson(format)} is not known and not checked.`,
    );
}

function checkPattern(pattern: string, pointer: string, report: Report): void {
  const compiled = compilePattern(pattern);
  const quoted = `The pattern ${stringifyExactJson(pattern)}`;
  if (compiled === undefined) report('pattern-invalid', pointer, `${quoted} is no regular expression and not checked.`);
  else if (!compiled.unicode) report('pattern-not-unicode', pointer, `${quoted} is valid only without the u flag.`);
  const where = createLinearPattern(pattern).maxLength === undefined ? ' in generated validators' : '';
  if (compiled !== undefined && canBacktrackForever(pattern))
    report(
      'pattern-costly',
      pointer,
      `${quoted} can take exponential time, so it is checked only for texts of up to ${COSTLY_LENGTH} characters${where}.`,
    );
}

interface RefPlace {
  readonly api: Api;
  /** The named schema to whose value the reference applies. */
  readonly name: string | undefined;
  readonly pointer: string;
  readonly report: Report;
}

function checkRef(ref: string, { api, name, pointer, report }: RefPlace): void {
  const target = refName(ref);
  const isMissing = namedView(target, api) === undefined;
  if (!isMissing && !closesInPlaceCycle(target, name, api)) return;
  const reason = isMissing ? 'has no target' : 'leads back to the same value for ever';
  report(
    'schema-not-compiled',
    appendPointer(pointer, '$ref'),
    `The reference to ${stringifyExactJson(target)} ${reason}; it is not checked.`,
  );
}

/** Keywords whose schemas apply to the value itself. */
const IN_PLACE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
]);

function schemasOf({ parameters, body, responses }: Operation): Placed[] {
  const sent = [...parameters, ...(body?.content ?? [])];
  const received = responses.flatMap(({ content, headers }) => [...content, ...headers]);
  const place = (direction: Direction) => {
    return ({ schema, sequence, source }: Partial<MediaType> & Pick<Placed, 'source'>): Placed[] =>
      [schema, sequence?.schema].flatMap((one) => (one === undefined ? [] : [{ schema: one, source, direction }]));
  };
  return [...sent.flatMap(place('request')), ...received.flatMap(place('response'))];
}
