/**
 * What bundlers for browsers see as `specmill/mock` and `specmill/msw`: their names, because bundlers refuse imports of
 * others, and one sentence instead of errors about modules of Node.
 */
function refuse(): never {
  throw new Error(
    'specmill/mock and specmill/msw run in Node: in a browser, use the handlers of the emitter "msw", or start the mock with "specmill mock" and call its URL.',
  );
}

export const ActionRefusedError: never = refuse();
export const ControlError: never = refuse();
export const DataProblem: never = refuse();
export const HttpError: never = refuse();
export const InputError: never = refuse();
export const PortBusyError: never = refuse();
export const SpecError: never = refuse();
export const appendPointer: never = refuse();
export const compareValues: never = refuse();
export const compileSchema: never = refuse();
export const connectMock: never = refuse();
export const cutPage: never = refuse();
export const defineMock: never = refuse();
export const encodeTarget: never = refuse();
export const handlers: never = refuse();
export const inTurn: never = refuse();
export const isNotModifiedSince: never = refuse();
export const isRecord: never = refuse();
export const makeEtag: never = refuse();
export const matchesEtag: never = refuse();
export const mergePatch: never = refuse();
export const numberOf: never = refuse();
export const omitMembers: never = refuse();
export const parseExactJson: never = refuse();
export const parseHttpDate: never = refuse();
export const parseIsoTime: never = refuse();
export const quoteEtag: never = refuse();
export const readDocument: never = refuse();
export const readHeader: never = refuse();
export const readParts: never = refuse();
export const splitPointer: never = refuse();
export const startMock: never = refuse();
export const startProxy: never = refuse();
export const stringifyExactJson: never = refuse();
export const systemReason: never = refuse();
export const toHttpDate: never = refuse();
export const toIsoTime: never = refuse();
export const withoutUndefined: never = refuse();
