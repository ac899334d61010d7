import { readFileSync } from 'node:fs';
import path from 'node:path';

import { Node, Project } from 'ts-morph';

import { packageRoot } from '../../model/package-info.js';

/** A regular expression in our source. */
export interface RegExpLiteral {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/** The regular expressions that are written as literals in a file, and the lines that make one at run time. */
export function findRegExps(file: string): { readonly literals: RegExpLiteral[]; readonly built: string[] } {
  const project = new Project({ useInMemoryFileSystem: true, compilerOptions: { allowJs: true } });
  const source = project.createSourceFile(`a${path.extname(file)}`, readFileSync(path.join(packageRoot, file), 'utf8'));
  const literals: RegExpLiteral[] = [];
  const built: string[] = [];
  source.forEachDescendant((node) => {
    if (Node.isRegularExpressionLiteral(node)) {
      const text = node.getText();
      const end = text.lastIndexOf('/');
      literals.push({
        file,
        line: node.getStartLineNumber(),
        source: text.slice(1, end),
        flags: text.slice(end + 1),
      });
    }
    if (Node.isNewExpression(node) && node.getExpression().getText() === 'RegExp') built.push(file);
  });
  return { literals, built };
}
