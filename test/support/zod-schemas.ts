import { createRequire } from 'node:module';

import { transform } from 'esbuild';
import type * as Zod from 'zod';

import type { Api } from '../../model/api.js';
import type { ValueTypes } from '../../config/config-types.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import { zod } from '../../generator/products/zod/zod.js';
import { readEmitterOptions } from '../../generator/emitter-kit/emitter-options.js';
import { runLoadedEmitter } from '../../generator/emitter-kit/run-loaded-emitter.js';
import * as checks from '../../runtime/checks.js';
import * as codecs from '../../runtime/codecs.js';
import * as formats from '../../runtime/formats.js';
import * as wire from '../../runtime/wire-text.js';
import * as own from '../../runtime/zod.js';

const require = createRequire(import.meta.url);
const RUNTIME: Readonly<Record<string, unknown>> = { checks, codecs, formats, 'wire-text': wire, zod: own };

export interface ZodSchemas {
  readonly schemas: Readonly<Record<string, Zod.ZodType>>;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Emits the schemas of an API and runs them, in this process. */
export async function zodSchemas(
  api: Api,
  options: Readonly<Record<string, unknown>> = {},
  types: ValueTypes = { dates: 'string', int64: 'number', ids: 'string' },
): Promise<ZodSchemas> {
  const diagnostics: Diagnostic[] = [];
  const emitter = zod as never;
  const loaded = {
    name: 'zod',
    requires: [],
    options: readEmitterOptions(emitter, options),
    isBuiltIn: true,
    isListed: true,
    emitter,
  };
  const emitOptions = {
    apiName: 'test',
    emitters: new Set(['types', 'zod']),
    types,
    report: (one: Diagnostic) => void diagnostics.push(one),
  };
  const { files } = await runLoadedEmitter(loaded, { api, options: emitOptions, output: import.meta.dirname });
  const texts = new Map<string, string>();
  for (const { path, contents } of files) {
    if (path.startsWith('runtime/')) continue;
    const { code } = await transform(typeof contents === 'string' ? contents : await contents(), {
      loader: 'ts',
      format: 'cjs',
      target: 'es2022',
    });
    texts.set(path.replace(/\.ts$/, ''), code);
  }
  return { schemas: runModules(texts, 'zod') as ZodSchemas['schemas'], text: texts.get('zod') ?? '', diagnostics };
}

/** Runs modules that import each other. */
function runModules(texts: ReadonlyMap<string, string>, entry: string): unknown {
  const done = new Map<string, { exports: unknown }>();
  const load = (name: string): unknown => {
    const known = done.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    done.set(name, module);
    // The text is what the emitter prints.
    // oxlint-disable-next-line typescript/no-implied-eval
    new Function('module', 'exports', 'require', texts.get(name) ?? '')(module, module.exports, (from: string) => {
      const runtime = /runtime\/([\w-]+)\.js$/.exec(from)?.[1];
      if (runtime !== undefined) return RUNTIME[runtime];
      return from.startsWith('.')
        ? load(from.replace(/^(?:\.\.?\/)+/, '').replace(/\.js$/, ''))
        : (require(from) as unknown);
    });
    return module.exports;
  };
  return load(entry);
}
