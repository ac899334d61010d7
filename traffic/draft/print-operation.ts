import { reasonPhrase } from '../../http/errors/status-names.js';
import { type DraftSchema, type PrintContext, printSchema, printText } from './print-schema.js';
import type { OperationShape } from './operation-shape.js';
import type { TemplatePart } from './operation-names.js';
import type { PathNode } from './path-tree.js';
import type { MediaShape, ParameterShape, RequestShape } from './request-shape.js';
import type { TextFacts } from './text-facts.js';

/** A parameter must be in all calls, and in this many, to be required. */
const LEAST_FOR_REQUIRED = 5;

/** An operation of the draft. */
export interface DraftedOperation {
  readonly id: string;
  readonly method: string;
  readonly parts: readonly TemplatePart[];
  readonly shape: OperationShape;
}

/** Writes an operation. The parameters of its path stand at the path. */
export function printOperation({ id, shape }: DraftedOperation, context: PrintContext): DraftSchema {
  const { requests } = shape;
  const { guess, ...security } = printSecurity(shape);
  const parameters = [
    ...[...requests.query].map(([name, one]) => printParameter(name, one, { place: 'query', calls: requests.calls })),
    ...[...requests.headers].map(([name, one]) =>
      printParameter(name, one, { place: 'header', calls: requests.calls }),
    ),
  ];
  return {
    operationId: id,
    description: `Drafted from ${shape.calls === 1 ? 'one call' : `${shape.calls} calls`}.`,
    'x-guess': `The operation id is made of the method and the path.${guess}`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requests.bodies === 0 ? {} : { requestBody: printBody(requests, context) }),
    responses: Object.fromEntries(
      [...shape.responses]
        .sort(([one], [other]) => one - other)
        .map(([status, { media }]) => [
          String(status),
          {
            description: `${reasonPhrase(status)}.`,
            ...(media.size === 0 ? {} : { content: printContent(media, context) }),
          },
        ]),
    ),
    ...security,
  };
}

function printParameter(
  name: string,
  { count, isList, texts }: ParameterShape,
  { place, calls }: { readonly place: 'query' | 'header'; readonly calls: number },
): DraftSchema {
  const isRequired = count === calls && calls >= LEAST_FOR_REQUIRED;
  const schema = textSchema(texts);
  return {
    name,
    in: place,
    ...(isRequired ? { required: true } : {}),
    'x-guess': isRequired ? `Required: in all ${calls} calls.` : `In ${count} of ${calls} calls.`,
    schema: isList && place === 'query' ? { type: 'array', items: schema } : schema,
  };
}

function textSchema(texts: TextFacts): DraftSchema {
  const type = texts.writtenType;
  if (type !== 'string') return { type, 'x-guess': `All ${texts.count} values are written so.` };
  return { type, ...printText(texts, false) };
}

/** Writes the parameter of a value in a path. */
export function printPathParameter(name: string, { kinds, texts }: PathNode): DraftSchema {
  const shown = [...kinds.keys()].map((kind) => (kind === 'name' ? 'names' : `${kind}s`)).join(' and ');
  const type = texts.writtenType === 'integer' ? 'integer' : 'string';
  const { format } = texts;
  return {
    name,
    in: 'path',
    required: true,
    'x-guess': `A value, not a word of the path: ${shown} in ${texts.count} calls.`,
    schema: type === 'string' && format !== undefined ? { type, format } : { type },
  };
}

function printBody(requests: RequestShape, context: PrintContext): DraftSchema {
  const isRequired = requests.bodies === requests.calls;
  return {
    ...(isRequired ? { required: true } : {}),
    content: printContent(requests.media, context),
    'x-guess': `In ${requests.bodies} of ${requests.calls} calls.`,
  };
}

function printContent(media: ReadonlyMap<string, MediaShape>, context: PrintContext): DraftSchema {
  return Object.fromEntries(
    [...media].map(([name, { shape }]) => [name, shape === undefined ? {} : { schema: printSchema(shape, context) }]),
  );
}

/**
 * The sets of credentials that calls had. A client may send one everywhere, so it is needed only if a call without one was
 * refused.
 */
function printSecurity({ requests, refusesAnonymous }: OperationShape): {
  readonly security?: readonly DraftSchema[];
  readonly guess: string;
} {
  const sets = [...requests.security.keys()].sort();
  if (sets.every((set) => set === '')) return { guess: '' };
  const isKnown = refusesAnonymous || sets.includes('');
  const security = (isKnown ? sets : [...sets, '']).map((set) =>
    Object.fromEntries(set.split(' ').flatMap((id) => (id === '' ? [] : [[id, []]]))),
  );
  const guess = isKnown ? '' : ' All calls had a credential, so it is not known whether one is needed.';
  return { security, guess };
}
