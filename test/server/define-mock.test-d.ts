/**
 * What a behaviour must not compile with. Nothing here is run: `npm run types` fails where a line that is marked would
 * pass.
 */
import type { Case, SigningOperations } from '../../generated/signing/types.js';
import { type Action, HttpError, type ResourceWrite, defineMock } from '../../entry/mock.js';

const Id = '6f1c2f5e-3b7a-4c58-9d0e-2a41b8c7d901';

/** All that is right. */
defineMock<SigningOperations>('signing', {
  stateBy: 'account',
  indexes: [{ collection: 'cases', path: 'Status' }],
  operations: {
    createcase: async (call) => {
      const name: string = call.input.body.Name ?? '';
      await call.collection<Case>('cases').put(Id, { Name: name });
      return call.respond(200, { Id });
    },
    getcase: (call) => {
      const id: string = call.input.query.id;
      const withSigned: boolean | undefined = call.input.query.IncludeAllStatuses;
      return withSigned === true ? call.respond(200, { Id: id, Status: 'Signed' }) : call.refuse(404, 'No.');
    },
    findcases: (call) => call.respond(200, [{ Id, Status: 'Draft' }]),
    sendcase: (call) => call.respond(200, { kind: 'json', value: { Id: call.input.body.id } }),
  },
});

/** Without generated types. */
defineMock('pets', {
  operations: {
    getPet: (call) => call.respond(200, { name: 'Rex' }),
    listPets: (call) => call.respond(200, [{ name: 'Rex' }], { 'x-total': '1' }),
  },
});

defineMock<SigningOperations>('signing', {
  operations: {
    // @ts-expect-error - the spec has no such operation.
    signcase: () => undefined,
  },
});

defineMock<SigningOperations>('signing', {
  operations: {
    // @ts-expect-error - a handler returns a response.
    sendcase: () => undefined,
    getcase: (call) => {
      // @ts-expect-error - the operation has no such parameter.
      call.input.query.caseId satisfies unknown;
      // @ts-expect-error - nor a body.
      call.input.body.id satisfies unknown;
      // @ts-expect-error - a parameter may be absent.
      call.input.query.IncludeAllStatuses satisfies boolean;
      return call.refuse(404, 'No.');
    },
    createcase: (call) => {
      // @ts-expect-error - the case has no such member.
      call.input.body.Title satisfies unknown;
      // @ts-expect-error - it has another type.
      call.input.body.Name satisfies number | undefined;
      return call.respond(200, { Id });
    },
  },
});

defineMock<SigningOperations>('signing', {
  operations: {
    // @ts-expect-error - the spec has no such response.
    createcase: (call) => call.respond(201, { Id }),
    // @ts-expect-error - a failure is no response.
    deletecase: (call) => call.respond(404, { Id }),
    // @ts-expect-error - a response is no failure.
    recallcase: (call) => call.refuse(200, 'No.'),
    // @ts-expect-error - the spec has no such failure.
    remindcase: (call) => call.refuse(402, 'No.'),
  },
});

defineMock<SigningOperations>('signing', {
  operations: {
    // @ts-expect-error - a required member is missing.
    createcase: (call) => call.respond(200, {}),
    // @ts-expect-error - the response has no such member.
    sendcase: (call) => call.respond(200, { Id, Status: 'Sent' }),
    // @ts-expect-error - it has another type.
    updatecase: (call) => call.respond(200, { Id: 7 }),
    // @ts-expect-error - the spec does not have this status.
    getcase: (call) => call.respond(200, { Id, Status: 'Recalled' }),
    // @ts-expect-error - a list is asked for.
    findcases: (call) => call.respond(200, { Id }),
  },
});

const sign: Action<{ readonly caseId: string }, number> = {
  description: 'A party signs.',
  input: { type: 'object' },
  run: (_context, { caseId }) => caseId.length,
};

const withActions = defineMock<SigningOperations, { sign: typeof sign }>('signing', { actions: { sign } });
withActions.actions?.sign satisfies typeof sign | undefined;

defineMock<SigningOperations, { sign: typeof sign }>('signing', {
  actions: {
    // @ts-expect-error - the action is done with another input.
    sign: { ...sign, run: (_context, { partyId }: { partyId: number }) => partyId },
  },
});

/** Middleware, defaults, hooks and schemas. */
defineMock<SigningOperations>('signing', {
  middleware: async (call, next) => {
    // A middleware also sees requests that lead to no operation.
    call.operation satisfies { readonly id: string } | undefined;
    // @ts-expect-error - which may be absent.
    call.operation.id satisfies string;
    // @ts-expect-error - and have no input.
    call.input satisfies unknown;
    return call.caller.kind === 'anonymous' ? call.refuse(403, 'No.') : next();
  },
  operations: {
    getcase: async (call) => {
      const response = await call.default();
      response.status satisfies number;
      // @ts-expect-error - the body of an inferred response has no type.
      response.body satisfies Case;
      return response;
    },
  },
  resources: {
    Case: {
      validate: ({ item, before }: ResourceWrite<Case>) => {
        if (before?.Status === 'Sent' && item.Name === '') throw new HttpError(409, 'No.');
      },
      beforeWrite: ({ item }: ResourceWrite<Case>) => ({ ...item, Name: '' }),
    },
  },
  seed: (context) => {
    context
      .schema('Case')
      .validate({})
      .map(({ pointer }) => pointer satisfies string);
    // @ts-expect-error - a seed has no request, so there is nothing to refuse.
    context.refuse(404, 'No.');
  },
});

defineMock<SigningOperations>('signing', {
  // @ts-expect-error - a middleware returns a response.
  middleware: async () => undefined,
  // @ts-expect-error - a hook on what is stored returns an item.
  resources: { Case: { beforeWrite: () => 1 } },
});
