/** A pattern of JSON Schema as a regular expression. */
export interface CompiledPattern {
  readonly regexp: RegExp;
  /** Whether it is valid with the `u` flag, as JSON Schema recommends. If not, it is compiled without. */
  readonly unicode: boolean;
}

const cache = new Map<string, CompiledPattern | undefined>();

/** Compiles a pattern, with the `u` flag if possible; `undefined` if it is not a regular expression. */
export function compilePattern(pattern: string): CompiledPattern | undefined {
  if (!cache.has(pattern)) {
    const unicode = tryCompile(pattern, 'u');
    const plain = unicode ?? tryCompile(pattern, '');
    cache.set(pattern, plain === undefined ? undefined : { regexp: plain, unicode: unicode !== undefined });
  }
  return cache.get(pattern);
}

function tryCompile(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}
