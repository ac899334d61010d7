import type { Operation } from '../../model/api.js';
import { toPointer } from '../../model/document/pointer.js';
import { toValueName } from '../../model/identifiers.js';
import { printValue } from '../fixtures/print-value.js';
import type { HelperFunction, HelperScope } from './helper-scope.js';
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
  const headers: readonly (readonly [member: string, name: string, isThere: boolean])[] = [
    ['/size', value.size, takesHeader(operation, value.size)],
    ['/type', value.type, takesHeader(operation, value.type)],
    ...Object.keys(value.start ?? {}).map(
      (name) => [toPointer(['start', name]), name, takesHeader(operation, name)] as const,
    ),
    ['/command', value.command, takesHeader(bytes, value.command)],
    ['/offset', value.offset, takesHeader(bytes, value.offset)],
    ['/status', value.status, givesHeader(bytes, value.status)],
    ['/received', value.received, givesHeader(bytes, value.received)],
    ['/address', value.address, givesHeader(operation, value.address)],
  ];
  const missing = headers.find(([, , isThere]) => !isThere);
  if (missing !== undefined) return refuse(`its operations have no header ${JSON.stringify(missing[1])}.`, missing[0]);
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
