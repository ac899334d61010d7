import type { Api } from '../../../model/api.js';
import type { HandlerContext } from '../../../server/handler-api.js';
import { openSchema } from '../../../server/schema-handle.js';
import type { Fault, JournalDraft, Sandbox } from '../../../server/sandbox/sandbox.js';

/** A sandbox without state: the pipeline and the transports are what is tested. */
export interface FakeSandbox extends Sandbox {
  readonly calls: JournalDraft[];
  readonly planned: Fault[];
}

function notThere(): never {
  throw new Error('The fake sandbox keeps no state.');
}

export function createFakeSandbox(api: Api, name = 'default'): FakeSandbox {
  const calls: JournalDraft[] = [];
  const planned: Fault[] = [];
  const clock = { now: () => Date.UTC(2026, 0, 1), schedule: () => Promise.resolve(), cancel: () => Promise.resolve() };
  const context: HandlerContext = {
    api,
    baseUrl: 'http://mock',
    schema: (schema) => openSchema(api, schema),
    collection: notThere,
    clock,
    random: {
      uuid: () => crypto.randomUUID(),
      number: () => 0.5,
      integer: (min) => min,
      bytes: (length) => new Uint8Array(length),
    },
    next: () => Promise.resolve(1),
    memory: (_key, make) => make(),
    options: { sandbox: name },
    config: undefined,
    realName: (word) => word,
    sendCallback: () => Promise.resolve(),
  };
  return {
    name,
    calls,
    planned,
    clock,
    get store(): never {
      return notThere();
    },
    journal: { add: (entry) => void calls.push(entry), entries: () => [], clear: () => void calls.splice(0) },
    faults: {
      list: () => planned,
      replace: (faults) => void planned.splice(0, planned.length, ...faults),
      scenarios: () => [],
      candidates: () => planned,
      take: ({ happens }) => {
        const fault = planned.find(happens);
        return fault === undefined ? undefined : { fault };
      },
    },
    random: context.random,
    distrust: () => undefined,
    contextFor: () => Promise.resolve(context),
  };
}
