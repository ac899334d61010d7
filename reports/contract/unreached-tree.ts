import { showTimes } from '../counts.js';
import type { ReportedTry, UnreachedOperation } from './contract-report.js';

/** Deeper operations are not shown: a circle of operations that wait for each other ends. */
const MAX_DEPTH = 6;

/**
 * The operations that never succeeded as a tree: the creation that never succeeded, what the server said about it, and
 * below it the operations that wait for it.
 */
export function unreachedTree(all: readonly UnreachedOperation[], indent = ''): string[] {
  return all.filter((one) => !isBelow(one, all)).flatMap((one) => linesOf(one, { all, indent, depth: 1 }));
}

/** Whether an operation waits for another one of the list. */
function isBelow({ waitsFor }: UnreachedOperation, all: readonly UnreachedOperation[]): boolean {
  return waitsFor !== undefined && all.some(({ operationId }) => operationId === waitsFor);
}

interface Place {
  readonly all: readonly UnreachedOperation[];
  readonly indent: string;
  readonly depth: number;
}

function linesOf(one: UnreachedOperation, { all, indent, depth }: Place): string[] {
  const below = all.filter(({ waitsFor }) => waitsFor === one.operationId);
  const isInner = ({ operationId }: UnreachedOperation): boolean =>
    all.some(({ waitsFor }) => waitsFor === operationId);
  const leaves = below.filter((other) => !isInner(other));
  const inner = below.filter((other) => isInner(other));
  return [
    `${indent}${one.operationId}: ${one.reason}`,
    ...detailsOf(one).map((line) => `${indent}  ${line}`),
    ...(leaves.length === 0
      ? []
      : [
          `${indent}  ${leaves.length} ${leaves.length === 1 ? 'waits' : 'wait'} for it: ${leaves.map(({ operationId }) => operationId).join(', ')}`,
        ]),
    ...(depth > MAX_DEPTH
      ? []
      : inner.flatMap((other) => linesOf(other, { all, indent: `${indent}  `, depth: depth + 1 }))),
  ];
}

/** What the server said, the smallest request that it refused, and lines that may help. */
export function detailsOf({ message, curl, suggestion }: UnreachedOperation): string[] {
  return [
    ...(message === undefined ? [] : [`the server said: ${message}`]),
    ...(curl === undefined ? [] : curl.split('\n')),
    ...(suggestion === undefined
      ? []
      : [
          'add these lines to this API in the configuration, with values that your server knows:',
          ...indented(suggestion),
        ]),
  ];
}

function indented(text: string): string[] {
  return text.split('\n').map((line) => `  ${line}`);
}

/** The tries of an operation and of those that it waits for; empty without `explain`. */
export function tryLines(tries: readonly ReportedTry[] | undefined): string[] {
  if (tries === undefined) return [];
  const lines = tries.flatMap(({ operationId, request, body, status, message, count }, index) => [
    `${String(index + 1).padStart(4)}. ${operationId}: ${request}${showTimes(count)}`,
    ...(body === undefined ? [] : [`      ${body}`]),
    `      ${status === 0 ? 'no response' : status}${message === undefined ? '' : `: ${message}`}`,
  ]);
  return [
    tries.length === 0 ? 'No request could be made up.' : tries.length === 1 ? '1 try:' : `${tries.length} tries:`,
    ...lines,
    '',
  ];
}
