import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { Api } from '../../model/api.js';
import { createDiagnostic } from '../../model/diagnostics/create-diagnostic.js';
import type { EmitOptions, GeneratedFile } from '../emitter.js';
import type { LoadedEmitter } from './load-emitters.js';

interface PeerScope {
  readonly api: Api;
  readonly options: EmitOptions;
  readonly output: string;
  readonly files: readonly GeneratedFile[];
}

/** Reports the packages that the files of an emitter import and that are not installed for the output, or too old. */
export function reportMissingPeers({ emitter, options: given }: LoadedEmitter, scope: PeerScope): void {
  const { peers } = emitter as { readonly peers?: unknown };
  if (peers === undefined) return;
  // Cast: the options were checked by the declaration of the same emitter.
  const wanted = (typeof peers === 'function' ? (peers(given) as unknown) : peers) as Readonly<Record<string, string>>;
  const subject = scope.files.find(({ path: file }) => file.endsWith('.ts'))?.path ?? 'The output';
  for (const [name, range] of Object.entries(wanted)) {
    const version = installedVersion(name, scope.output);
    if (version !== undefined && fits(version, range)) continue;
    const problem = version === undefined ? 'it is not installed here' : `version ${version} is installed here`;
    const message = `${subject} needs the package ${name} ${range.replace('>=', '>= ')}; ${problem}.`;
    scope.options.report(
      createDiagnostic('peer-missing', { file: scope.api.files[0]?.path ?? '', pointer: '' }, message),
    );
  }
}

/** The version of a package that a module in a folder would import. */
function installedVersion(name: string, folder: string): string | undefined {
  for (let here = folder; ; here = path.dirname(here)) {
    const file = path.join(here, 'node_modules', name, 'package.json');
    if (existsSync(file)) return String((JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown }).version);
    if (here === path.dirname(here)) return undefined;
  }
}

/** Whether a version is in a range such as `>=4.1`. Other ranges are left to the package manager. */
function fits(version: string, range: string): boolean {
  const least = /^>=\s*(\d+(?:\.\d+)*)$/.exec(range)?.[1];
  if (least === undefined) return true;
  const [own, wanted] = [version, least].map((text) => text.split('.').map((part) => Number.parseInt(part, 10)));
  for (const [index, part] of (wanted ?? []).entries()) {
    const given = own?.[index] ?? 0;
    if (given !== part) return given > part;
  }
  return true;
}
