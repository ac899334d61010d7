import { toShownText } from './strip-controls.js';

export interface JunitSuite {
  readonly package: string;
  readonly name: string;
  /** RFC 3339, in UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly properties: Readonly<Record<string, string>>;
  readonly cases: readonly JunitCase[];
  /** Lines for the reader. */
  readonly output: readonly string[];
}

export interface JunitCase {
  readonly name: string;
  /** Why the case was skipped. */
  readonly skipped?: string;
  readonly failure?: { readonly type: string; readonly message: string; readonly text: string };
}

/** Writes JUnit XML that fits the schemas of both Ant and Jenkins. */
export function writeJunit({ package: group, name, cases, ...suite }: JunitSuite): string {
  const own = {
    id: '0',
    package: group,
    name: name === '' ? 'API' : name,
    // The Ant schema requires a time without a time zone; this one is UTC.
    timestamp: suite.startedAt.slice(0, 19),
    hostname: 'localhost',
    tests: String(cases.length),
    failures: String(cases.filter(({ failure }) => failure !== undefined).length),
    errors: '0',
    skipped: String(cases.filter(({ skipped }) => skipped !== undefined).length),
    time: (suite.durationMs / 1_000).toFixed(3),
  };
  const names = new UniqueNames();
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite ${attributes(own)}>`,
    '    <properties>',
    ...Object.entries(suite.properties).map(([key, value]) => `      <property ${attributes({ name: key, value })}/>`),
    '    </properties>',
    ...cases.map((one) => writeCase(name, { ...one, name: names.take(one.name) })),
    `    <system-out>${content(suite.output.join('\n'))}</system-out>`,
    '    <system-err></system-err>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function writeCase(classname: string, { name, skipped, failure }: JunitCase): string {
  const start = `    <testcase ${attributes({ classname, name, time: '0' })}`;
  if (skipped !== undefined) return `${start}><skipped ${attributes({ message: skipped })}/></testcase>`;
  if (failure === undefined) return `${start}/>`;
  const { type, message, text } = failure;
  return `${start}>\n      <failure ${attributes({ type, message })}>${content(text)}</failure>\n    </testcase>`;
}

/** Makes names unique: of several cases with the same name, most readers show only one. */
class UniqueNames {
  readonly #counts = new Map<string, number>();

  take(name: string): string {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count === 1 ? name : this.take(`${name} #${count}`);
  }
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${attribute(value)}"`)
    .join(' ');
}

/** Escapes an attribute value. Literal line feeds and tabs would become spaces. */
function attribute(text: string): string {
  return content(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

/** Escapes text, and makes characters readable that XML 1.0 cannot contain. */
function content(text: string): string {
  return toShownText(text)
    .replaceAll(/[\p{Cs}\ufffe\uffff]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
