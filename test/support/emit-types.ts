import type { Api } from '../../model/api.js';
import type { GeneratedFile } from '../../generator/emitter.js';
import { typesEmitter } from '../../generator/types/emit-types.js';
import { writeTo } from './temp-folder.js';

/** The files of the types of an API. */
export async function emitTypeFiles(api: Api, apiName = 'test'): Promise<readonly GeneratedFile[]> {
  return typesEmitter.emit(api, { apiName, emitters: new Set(['types']), report: () => undefined });
}

/** Writes the files of the types of an API to `folder/name`. */
export async function writeTypes(folder: string, name: string, api: Api): Promise<void> {
  for (const file of await emitTypeFiles(api, name)) writeTo(folder, `${name}/${file.path}`, await textOf(file));
}

/** The text of `types.ts`. */
export async function emitTypes(api: Api, apiName = 'test'): Promise<string> {
  const [types] = await emitTypeFiles(api, apiName);
  return textOf(types);
}

/** The text of a file, made if need be. */
export async function textOf(file: GeneratedFile | undefined): Promise<string> {
  const contents = file?.contents ?? '';
  return typeof contents === 'string' ? contents : contents();
}

/** The type that a name is declared as, on one line and without comments. */
export function declarationOf(text: string, name: string): string | undefined {
  const plain = text.replaceAll(/^ *\/\*\*[^]*?\*\/\n/gm, '');
  const found = new RegExp(
    `^export (?:type ${name} =|interface ${name}) ?([^]*?)(?:;\\n(?=\\n|$)|\\n\\n|\\n$)`,
    'm',
  ).exec(`${plain}\n`);
  return found?.[1]?.replaceAll(/\s+/g, ' ').trim();
}
