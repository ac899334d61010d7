import type { Operation } from '../../model/api.js';
import { toPointer } from '../../model/document/pointer.js';
import { toValueName } from '../../model/identifiers.js';
import { printValue } from '../fixtures/print-value.js';
import { type HelperFunction, type HelperScope, memberWith } from './helper-scope.js';
import type { UploadValue } from '../../model/helper-values.js';
import { responseSchema, givesHeader, schemaAt, takesHeader } from './schema-at.js';

/** Reads the upload helper of an operation with `x-resumable-upload`. */
export function readUpload(operation: Operation, scope: HelperScope): HelperFunction | undefined {
  const value = scope.extension(operation, 'x-resumable-upload') as UploadValue | undefined;
  if (value === undefined) return undefined;
  const parts = findParts(operation, value, scope);
  if (parts === undefined) return undefined;
  const { imports } = scope;
  const request = scope.typesOf(operation).request;
  const start = `start: (request: ${scope.namespace}.${request}) => operations.${operation.name}(context, request, options)`;
  const { poll } = parts;
  const polls =
    poll &&
    `poll: (request: ${scope.namespace}.${scope.typesOf(poll).request}) => operations.${poll.name}(context, request, options)`;
  const calls = [start, ...(polls === undefined ? [] : [polls])].map((line) => `    ${line},\n`).join('');
  const file = responseSchema(poll ?? parts.bytes);
  const fileSchema = poll === undefined && file !== undefined ? schemaAt(scope.api, file, value.file) : file;
  const code = `${imports.use('upload')}(context, ${printValue(planOf(value), '')}, {\n  data,\n  options,\n  calls: {\n${calls}  },\n})`;
  // The polling operation converts its own value.
  const codec = poll === undefined && fileSchema !== undefined ? scope.codecOf(fileSchema) : undefined;
  return {
    name: toValueName(value.name),
    summary: `uploads a file, resumes after a lost connection${poll === undefined ? '' : ', and waits until the file is ready'}`,
    doc: '@throws UploadError if the upload cannot continue or the file cannot be used; ApiError if the server refuses; NetworkError if it cannot be reached.',
    parameters: [
      { name: 'data', type: imports.use('UploadData') },
      { name: 'options', type: imports.use('UploadOptions'), isOptional: true },
    ],
    returnType: `Promise<${fileSchema === undefined ? 'unknown' : scope.typeOf(fileSchema, 'output')}>`,
    code: codec === undefined ? code : `${imports.use('decodeResult')}(${code}, ${codec})`,
  };
}

interface UploadParts {
  readonly bytes: Operation;
  readonly poll: Operation | undefined;
}

function findParts(operation: Operation, value: UploadValue, scope: HelperScope): UploadParts | undefined {
  const refuse = (problem: string, member: string): undefined =>
    scope.refuse(operation, 'x-resumable-upload', problem, member);
  const bytes = scope.find(value.upload);
  const poll = value.poll === undefined ? undefined : scope.find(value.poll.operation);
  if (bytes === undefined) return refuse(`the API has no operation ${JSON.stringify(value.upload)}.`, '/upload');
  if (value.poll !== undefined && poll === undefined)
    return refuse(`the API has no operation ${JSON.stringify(value.poll.operation)}.`, '/poll/operation');
  const sent = [value.size, value.type, ...Object.keys(value.start ?? {})].find(
    (name) => !takesHeader(operation, name),
  );
  const steps = [value.command, value.offset].find((name) => !takesHeader(bytes, name));
  const given = [value.status, value.received].find((name) => !givesHeader(bytes, name));
  const unknown = sent ?? steps ?? given ?? (givesHeader(operation, value.address) ? undefined : value.address);
  if (unknown !== undefined)
    return refuse(
      `its operations have no header ${JSON.stringify(unknown)}.`,
      Object.hasOwn(value.start ?? {}, unknown) ? toPointer(['start', unknown]) : memberWith(value, unknown),
    );
  return { bytes, poll };
}

/** Returns the plan, with response headers in lower case. */
function planOf({ upload, name: _name, poll, ...value }: UploadValue): object {
  const { operation: _operation, ...file } = poll ?? { operation: '' };
  return {
    name: upload,
    ...value,
    start: value.start ?? {},
    address: value.address.toLowerCase(),
    status: value.status.toLowerCase(),
    received: value.received.toLowerCase(),
    ...(poll === undefined ? {} : { poll: file }),
  };
}
