import type { Api, Operation } from '../../model/api.js';
import type { DiagnosticCode } from '../../model/diagnostics/codes.js';
import { createDiagnostic } from '../../model/diagnostics/create-diagnostic.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import type { Schema } from '../../model/schema-types.js';
import { type PreparedUnit, prepareSchema } from '../../schema/to-ajv.js';
import { nameVariants, originOf } from '../../schema/variant-names.js';
import { namedView } from '../../schema/variants.js';
import type { EmitOptions } from '../emitter.js';
import { nameSchemaFiles } from '../schema-files.js';
import { CheckPrinter } from './check-printer.js';
import { type ValidatorNames, nameValidators } from './name-validators.js';
import { isSharedName } from './share-units.js';

/** What the validators of one API share while they are emitted. */
export interface ValidatorScope {
  readonly api: Api;
  readonly names: ValidatorNames;
  /** The request variants that have checks of their own, by schema. */
  readonly variants: ReadonlyMap<string, string>;
  /** File name of each schema. None is that of a file of ours: theirs have no underscore. */
  readonly files: ReadonlyMap<string, string>;
  /** The file of the check of a view or a shared part, without its ending, below `validators/`. */
  readonly fileOf: (view: string) => string;
  readonly printer: CheckPrinter;
  readonly report: EmitOptions['report'];
}

export function createValidatorScope(api: Api, { apiName, report }: EmitOptions): ValidatorScope {
  const files = new Map(
    [...nameSchemaFiles(api)].map(([name, file]) => [name, file === 'responses' ? 'responses_' : file]),
  );
  return {
    api,
    names: nameValidators(api, apiName),
    variants: nameVariants(api).request,
    files,
    fileOf: (view) => (isSharedName(view) ? sharedFile(view) : (files.get(originOf(view, api)) ?? view)),
    printer: new CheckPrinter(),
    report: reportOnce(report),
  };
}

/** Many schemas of one operation can have the same problem. */
function reportOnce(report: EmitOptions['report']): EmitOptions['report'] {
  const known = new Set<string>();
  return (diagnostic) => {
    const key = JSON.stringify(diagnostic);
    if (!known.has(key)) report(diagnostic);
    known.add(key);
  };
}

/** Shared parts are spread over files by their hash, so that a change of one does not print them all again. */
export function sharedFile(name: string): string {
  return `_shared-${name.charAt(1)}`;
}

/** What the code of a unit is made of. */
export function unitKey(
  { schema, locals, refs, tracks, ownProperties }: PreparedUnit,
  { fileOf }: ValidatorScope,
): unknown {
  const parts = [...locals].map(([name, local]) => [name, local.schema]);
  return [schema, parts, [...refs].map((ref) => [ref, fileOf(ref)]), tracks, ownProperties];
}

/** Prepares the view of a named schema. Problems of a request variant are those of the schema, so they are told once. */
export function prepareView(view: string, { api, report }: ValidatorScope): PreparedUnit {
  const named = api.schemas.get(originOf(view, api));
  const isVariant = named?.name !== view;
  return prepareSchema(namedView(view, api) ?? true, {
    api,
    name: view,
    report: (code, pointer, message) => {
      if (named !== undefined && !isVariant) reportAt(report, named.source, { code, pointer, message });
    },
  });
}

/** Prepares the view of a schema that stands in an operation. */
export function preparePart(view: Schema, operation: Operation, { api, report }: ValidatorScope): PreparedUnit {
  return prepareSchema(view, {
    api,
    report: (code, _pointer, message) => reportAt(report, operation.source, { code, pointer: '', message }),
  });
}

interface Problem {
  readonly code: DiagnosticCode;
  readonly pointer: string;
  readonly message: string;
}

function reportAt(report: EmitOptions['report'], source: SourceLocation, { code, pointer, message }: Problem): void {
  report(createDiagnostic(code, { file: source.file, pointer: source.pointer + pointer }, message));
}
