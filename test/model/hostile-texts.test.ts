import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';

import { describe, expect, it } from 'vitest';

import { toLineComment, toLiteral, toShellWord, toStringLiteral } from '../../model/identifiers.js';

const TEXTS = [
  '',
  '-rf',
  '@/etc/passwd',
  "it's $HOME `id` $(id)",
  '"; rm -rf /; #',
  'A&id&',
  'X`touch$IFS$PWD-pwned`',
  'a|b>c<d~*?[x]{1,2}!x\\',
  'line\nline\r\n\ttab\\n\u001b[2J\u007f',
  "'\u0007\\'",
  'é 𝄞 中 \u202e\u2028\u2029\ufeff\u00ad\u{e0041}',
  '</script><!--<script>',
  '*/ // `${1}`',
] as const;

describe('texts of a spec', () => {
  it.each(TEXTS)('bash reads the word of toShellWord unchanged: %j', (text) => {
    const words = execFileSync('bash', ['-c', `printf '%s\\0' ${toShellWord(text)} ${toShellWord(text)}`], {
      env: { ...process.env, LC_ALL: 'C' },
    });
    expect(words.toString().split('\0')).toEqual([text, text, '']);
    expect(toShellWord(text)).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
  });

  it.each(TEXTS)('JavaScript reads the text of toLiteral and toStringLiteral unchanged: %j', (text) => {
    for (const code of [toLiteral(text), toStringLiteral(text)]) {
      expect(runInNewContext(code)).toBe(text);
      expect(code).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]|<\/|<!--/u);
    }
  });

  it.each(['__proto__', 'x"__proto__', '\\"__proto__', '__proto__":'])('toLiteral keeps the member %j', (name) => {
    const value: unknown = JSON.parse(`{${JSON.stringify(name)}:{"a":1},"list":[{${JSON.stringify(name)}:2}]}`);
    const read: unknown = runInNewContext(`(${toLiteral(value)})`);
    expect(JSON.stringify(read)).toBe(JSON.stringify(value));
  });

  it('toLineComment keeps a text on its line', () => expect(toLineComment('a\nb\rc\u2028d\u0085e')).toBe('a b c d e'));
});
