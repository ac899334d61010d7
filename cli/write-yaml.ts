import type { Scalar } from 'yaml';

import { loadYaml } from '../model/document/yaml-library.js';
import { toTerminalText } from './io.js';

/**
 * Writes a value as YAML that shows no character which a terminal or an editor would obey instead of showing it: texts with
 * such characters are in double quotes, where an escape means the same.
 */
export function writeYaml(value: object): string {
  const { Document, isScalar, visit } = loadYaml();
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_key, node: Scalar) => {
      if (isScalar(node) && typeof node.value === 'string' && toTerminalText(node.value) !== node.value)
        node.type = 'QUOTE_DOUBLE';
    },
  });
  return toTerminalText(document.toString({ lineWidth: 0 }), { lines: true });
}
