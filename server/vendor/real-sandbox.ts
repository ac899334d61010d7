import type { BehaviourContext, Caller } from '../seams/behaviour.js';
import type { Clock } from '../sandbox/clock.js';
import type { Violation } from '../../http/messages.js';
import type { Faults, Journal, JournalDraft, JournalMessage, Sandbox } from '../sandbox/sandbox.js';
import type { Store } from '../stores/store.js';
import { hostOf } from './seed-request.js';
import { translateHeaders } from './translate-headers.js';
import { translateTarget } from './translate-target.js';
import { translatePointer, translateValue } from './translate-value.js';
import type { Words } from './translation.js';

/** A sandbox whose journal keeps calls as they travelled. Its parts are read anew each time: a reset replaces them. */
export class RealSandbox implements Sandbox {
  readonly #inner: Sandbox;
  readonly #words: Words;

  constructor(inner: Sandbox, words: Words) {
    this.#inner = inner;
    this.#words = words;
  }

  get name(): string {
    return this.#inner.name;
  }

  get store(): Store {
    return this.#inner.store;
  }

  get clock(): Clock {
    return this.#inner.clock;
  }

  get faults(): Faults {
    return this.#inner.faults;
  }

  get journal(): Journal {
    const { journal } = this.#inner;
    return {
      add: (entry) => journal.add(toRealEntry(entry, this.#words)),
      entries: (options) => journal.entries(options),
      clear: () => journal.clear(),
    };
  }

  contextFor(caller: Caller): BehaviourContext | Promise<BehaviourContext> {
    return this.#inner.contextFor(caller);
  }
}

function toRealEntry(entry: JournalDraft, words: Words): JournalDraft {
  const host = hostOf(entry.request);
  const toReal = ({ headers, body, json }: JournalMessage, isFailure: boolean): JournalMessage => {
    const said: unknown = json === undefined ? body : JSON.parse(json);
    return {
      headers: translateHeaders(headers, words, host),
      ...(said === undefined ? {} : { body: translateValue(said, { words, host, isFailure }) }),
    };
  };
  return {
    ...entry,
    path: translateTarget(entry.path, words),
    request: toReal(entry.request, false),
    response: toReal(entry.response, entry.status >= 400),
    violations: entry.violations.map((violation) => toRealViolation(violation, words)),
  };
}

function toRealViolation(violation: Violation, words: Words): Violation {
  return {
    ...violation,
    pointer: translatePointer(violation.pointer, words),
    message: words.sentence(violation.message),
  };
}
