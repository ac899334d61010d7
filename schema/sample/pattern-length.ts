import type { PatternNode } from './pattern-parse.js';

/** How many characters the shortest text has. */
export function shortestLength(node: PatternNode): number {
  switch (node.kind) {
    case 'text':
    case 'set':
      return 1;
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + shortestLength(part), 0);
    case 'choice':
      return Math.min(...node.options.map(shortestLength));
    case 'repeat':
      return node.min === 0 ? 0 : node.min * shortestLength(node.body);
    case 'group':
      return shortestLength(node.body);
    default:
      return 0;
  }
}

/** How many characters the longest text has. */
export function longestLength(node: PatternNode): number {
  switch (node.kind) {
    case 'text':
    case 'set':
      return 1;
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + longestLength(part), 0);
    case 'choice':
      return Math.max(...node.options.map(longestLength));
    case 'repeat': {
      const body = longestLength(node.body);
      return node.max === 0 || body === 0 ? 0 : node.max * body;
    }
    case 'group':
      return longestLength(node.body);
    case 'back':
      return Infinity;
    default:
      return 0;
  }
}
