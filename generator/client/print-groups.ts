import { toPropertyKey, toStringLiteral } from '../../model/identifiers.js';
import type { GeneratedFile } from '../emitter.js';
import type { GroupMember, OperationGroup } from './group-operations.js';
import { printImported } from './runtime-imports.js';

/** Prints one module for each group, so that bundlers keep only the functions that are used. */
export function printGroups(groups: readonly OperationGroup[]): GeneratedFile[] {
  return groups.map(({ file, members }) => ({
    path: `groups/${file}.ts`,
    contents: (['operations', 'helpers'] as const).map((module) => printExports(members, module)).join(''),
  }));
}

function printExports(members: readonly GroupMember[], module: GroupMember['module']): string {
  const names = members.filter((member) => member.module === module);
  if (names.length === 0) return '';
  const printed = names.map(({ name, functionName }) => printImported(functionName, name));
  return `export { ${printed.join(', ')} } from ${toStringLiteral(`../${module}.js`)};\n`;
}

/** The types of the operations of a group, by their names in it. */
export function printGroupTypes({ members }: OperationGroup, operations: string): string {
  const types = members
    .filter(({ module }) => module === 'operations')
    .map(({ name, functionName }) => `${toPropertyKey(name)}: ${operations}[${toStringLiteral(functionName)}]`);
  return `{ ${types.join('; ')} }`;
}
