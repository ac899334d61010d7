import type { Api, Operation } from '../../model/api.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import { resolvePointer } from '../../model/document/pointer.js';
import type { LiveSessionValue } from '../../model/helper-values.js';
import { findMessageSchema } from '../../model/websocket-messages.js';
import type { Violation } from '../../http/messages.js';
import { DecodeError } from '../../runtime/decode-error.js';
import { decodeJson } from '../../runtime/decode-json.js';
import { compileValidator, type Validate } from '../../schema/compile-validator.js';
import type { SocketSide } from './message-reader.js';

/** The documented rules for an operation's messages. */
export interface MessageRules {
  readonly validate: Readonly<Record<SocketSide, Validate | undefined>>;
  /** The order of messages (`x-live-session`). */
  readonly order: LiveSessionValue | undefined;
}

/** Compiles the rules for an operation's messages; `undefined` if it describes none (`x-websocket`). */
export function compileMessageRules(
  operation: Operation,
  { api, report }: { readonly api: Api; readonly report: (diagnostic: Diagnostic) => void },
): MessageRules | undefined {
  const compile = (side: SocketSide): Validate | undefined => {
    const schema = findMessageSchema(api, operation, side);
    const direction = side === 'client' ? 'request' : 'response';
    return schema && compileValidator(api, schema, { direction, report, source: operation.source });
  };
  const validate = { client: compile('client'), server: compile('server') };
  if (validate.client === undefined && validate.server === undefined) return undefined;
  return { validate, order: operation.extensions['x-live-session'] as LiveSessionValue | undefined };
}

/** Checks the messages of one connection: each against its schema, and their order. */
export class MessageCheck {
  readonly #rules: MessageRules;
  #hasSetup = false;
  #isReady = false;

  constructor(rules: MessageRules) {
    this.#rules = rules;
  }

  /**
   * Returns the violations of a message.
   *
   * @param index - the index of the message among those of both sides. Pointers begin with it.
   */
  check(side: SocketSide, bytes: Uint8Array, index: number): Violation[] {
    const validate = this.#rules.validate[side];
    if (validate === undefined) return [];
    const toViolation = (pointer: string, message: string): Violation => ({
      in: side === 'client' ? 'body' : 'response',
      pointer: `/messages/${index}${pointer}`,
      message,
    });
    try {
      const message = decodeJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
      return [...validate(message), ...this.#checkOrder(side, message)].map((error) =>
        toViolation(error.pointer, error.message),
      );
    } catch (error) {
      if (error instanceof DecodeError) return [toViolation(error.pointer, error.message)];
      if (error instanceof TypeError) return [toViolation('', 'must be UTF-8')];
      throw error;
    }
  }

  #checkOrder(side: SocketSide, message: unknown): { readonly pointer: string; readonly message: string }[] {
    const { order } = this.#rules;
    if (order === undefined) return [];
    if (side === 'server') {
      this.#isReady ||= resolvePointer(message, order.ready) !== undefined;
      return [];
    }
    const isSetup = resolvePointer(message, order.setup) !== undefined;
    const [isFirst, isReady] = [!this.#hasSetup, this.#isReady];
    this.#hasSetup = true;
    if (isFirst) return isSetup ? [] : [{ pointer: '', message: `must have ${order.setup}: it is the first message` }];
    if (isSetup) return [{ pointer: order.setup, message: 'must be in the first message only' }];
    return isReady ? [] : [{ pointer: '', message: `must come after the server has sent ${order.ready}` }];
  }
}
