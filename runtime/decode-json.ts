import { endOfString, parseExactJson } from './json-integers.js';
import { BudgetError, ParseBudget, LIST, MEMBER, OBJECT, WIDE } from './parse-budget.js';
import { DecodeError, withinBudget } from './decode-error.js';
import { appendPointer } from './pointer.js';

/** The greatest depth of values, because code that processes them is recursive. No known API comes near it. */
const MAX_DEPTH = 512;

/**
 * Parses JSON from outside. A member named `__proto__` is a normal own member. The depth is limited, integers beyond
 * the precision of doubles become `bigint`, and lone surrogates are refused (RFC 7493, section 2.1).
 *
 * @param budget - that of the document, if the text is only a part of it.
 * @throws DecodeError
 */
export function decodeJson(text: string, budget?: ParseBudget): unknown {
  return decodeJsonWith(parseExactJson, text, budget);
}

/** {@link decodeJson} with another parser, such as `JSON.parse`, which rounds long integers. @throws DecodeError */
export function decodeJsonWith(
  parse: (text: string, onWide?: () => void) => unknown,
  text: string,
  budget?: ParseBudget,
): unknown {
  // A shorter text cannot be nested deeper, and costs little by itself.
  const isShort = text.length <= MAX_DEPTH && budget === undefined;
  const value = isShort ? parseOrRefuse(() => parse(text)) : parseWithin(text, parse, budget);
  if (/\\ud[89a-f]/i.test(text)) refuseHalves(value, '');
  return value;
}

function parseWithin(
  text: string,
  parse: (text: string, onWide: () => void) => unknown,
  budget = new ParseBudget(text.length, [OBJECT, LIST, MEMBER, WIDE]),
): unknown {
  return withinBudget(() => {
    refuseShape(text, budget);
    return parseOrRefuse(() => parse(text, () => budget.spend(WIDE.cost)));
  });
}

function parseOrRefuse(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    throw error instanceof BudgetError ? error : new DecodeError('must be JSON');
  }
}

function refuseHalves(value: unknown, pointer: string): void {
  if (typeof value === 'string' && /\p{Cs}/u.test(value))
    throw new DecodeError('must NOT contain a lone surrogate', pointer);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const place = appendPointer(pointer, name);
    refuseHalves(name, place);
    refuseHalves(member, place);
  }
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

function refuseShape(text: string, budget: ParseBudget): void {
  let depth = 0;
  // The number of members of the open object at each depth; -1 for a list.
  const members = text.length > MAX_DEPTH ? new Int32Array(MAX_DEPTH + 2) : [];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === COMMA) {
      const count = members[depth] ?? -1;
      budget.spendMember(count);
      if (count >= 0) members[depth] = count + 1;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1;
      budget.spend(code === OPEN_LIST ? LIST.cost : OBJECT.cost);
      members[depth] = code === OPEN_LIST ? -1 : 0;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    if (depth > MAX_DEPTH) throw new DecodeError(`must NOT be nested deeper than ${MAX_DEPTH} levels`);
  }
}

const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true });
const NAMES: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

/** Decodes bytes to text. @throws DecodeError with status 415 if the charset is unknown */
export function decodeCharset(bytes: Uint8Array, charset: string | undefined): string {
  const decoder = charset === undefined || NAMES.has(charset.toLowerCase()) ? utf8 : createDecoder(charset);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new DecodeError(`must be ${charset ?? 'UTF-8'} text`);
  }
}

function createDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new DecodeError('must name a known charset', '/content-type', 415);
  }
}
