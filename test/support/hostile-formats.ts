import { HttpError } from '../../http/http-error.js';
import { readHarEntry } from '../../http/har.js';
import { ElementSplitter } from '../../http/recording/element-splitter.js';
import { readAllItems } from '../../http/item-codec.js';
import { DecodeError } from '../../runtime/decode-error.js';
import { decodeJson } from '../../runtime/decode-json.js';
import { parseCookies, parseFields } from '../../runtime/fields.js';
import { parseMultipart } from '../../runtime/multipart.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { SpecError } from '../../model/diagnostics/spec-error.js';
import { parseText } from '../../model/document/parse-document.js';
import { EventParser } from '../../runtime/event-stream.js';
import { FrameSplitter } from '../../runtime/frame-splitter.js';
import { parseExactJson } from '../../runtime/json-integers.js';
import { parseXml } from '../../runtime/parse-xml.js';
import { readXmlText, type XmlPlan } from '../../runtime/xml.js';
import { XmlError } from '../../runtime/xml-scanner.js';
import { readCsv } from '../../server/data/read-csv.js';
import { openSchema } from '../../server/schema-handle.js';
import { buildApi } from './build-api.js';

/** A format that data from outside has, with what is sent to its parsers. */
export interface HostileFormat {
  readonly name: string;
  /** A media type of it, or one whose parser it may reach. */
  readonly mediaType: string;
  /** The sources that parse it. */
  readonly files: readonly string[];
  /** Parses a text in all ways that mocks, proxies, contract runs and clients do. */
  readonly parse: (text: string) => void | Promise<void>;
  /** Texts that make random documents. */
  readonly pieces: readonly string[];
  /** Repeated texts that have taken long, or would in a simple parser: what is before, repeated and after. */
  readonly attacks: Readonly<
    Record<string, readonly [before: string, repeated: (index: number) => string, after: string]>
  >;
}

const XML_PLAN: XmlPlan = {
  root: { name: 'pet', members: 0 },
  members: [
    {
      name: { name: 'name', type: 'string' },
      tags: { name: 'tags', kind: 'none', item: { name: 'tag' } },
      id: { name: 'id', kind: 'attribute' },
      inner: { name: 'inner', members: 0 },
    },
  ],
};

/** An API whose behaviour reads messages by a schema. */
const SOCKET_API = buildApi({});

/** The errors that parsers document. */
const DOCUMENTED = [HttpError, DecodeError, XmlError, InputError, SpecError, SyntaxError];

/** Runs the parsers; a documented refusal is no failure. */
function tolerate(...parsers: readonly (() => unknown)[]): void {
  for (const parse of parsers) {
    try {
      parse();
    } catch (error) {
      if (!DOCUMENTED.some((one) => error instanceof one)) throw error;
    }
  }
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text);
}

const same =
  (text: string): ((index: number) => string) =>
  () =>
    text;

export const HOSTILE_FORMATS: readonly HostileFormat[] = [
  {
    name: 'JSON',
    mediaType: 'application/json',
    files: ['runtime/decode-json.ts', 'runtime/json-integers.ts'],
    parse: (text) =>
      tolerate(
        () => decodeJson(text),
        () => parseExactJson(text),
      ),
    pieces: [
      '{',
      '}',
      '[',
      ']',
      '"a":',
      ',',
      '1',
      '12345678901234567890',
      '"\\ud800"',
      '"',
      '\\',
      'null',
      '{"__proto__":1}',
    ],
    attacks: {
      objects: ['[', same('{},'), '{}]'],
      'nested lists': ['', same('['), ''],
      'nested objects': ['', same('{"a":'), ''],
      members: ['{', (index) => `"k${index}":1,`, '"a":1}'],
      'escaped quotes': ['["', same('\\"'), '"]'],
      backslashes: ['["', same('\\\\'), '"]'],
      'wide integers': ['[', same('12345678901234567891,'), '0]'],
      digits: ['', same('9'), ''],
      surrogates: ['["', same('\\ud83d'), '"]'],
    },
  },
  {
    name: 'XML',
    mediaType: 'application/xml',
    files: ['runtime/parse-xml.ts', 'runtime/xml-scanner.ts', 'runtime/xml.ts', 'http/xml-body.ts'],
    parse: (text) =>
      tolerate(
        () => parseXml(text),
        () => readXmlText(text, XML_PLAN),
      ),
    pieces: [
      ...['<pet>', '</pet>', '<name>', '</name>', '<x/>', '<tag a="1">', '</tag>', '<!--', '-->', '<![CDATA[', ']]>'],
      ...[
        '<?a',
        '?>',
        '&lt;',
        '&#x1f469;',
        '&a;',
        ' xmlns:a="b"',
        '<a:b xmlns:a="c">',
        '</a:b>',
        '"',
        '<!DOCTYPE a>',
        'x',
      ],
    ],
    attacks: {
      elements: ['<pet>', same('<x/>'), '</pet>'],
      'elements of different names': ['<pet>', (index) => `<x${index}/>`, '</pet>'],
      'open elements': ['', same('<a>'), ''],
      namespaces: ['<pet>', (index) => `<x xmlns:a${index}="b"/>`, '</pet>'],
      'declarations in an element': ['<pet', (index) => ` xmlns:a${index}="b"`, '/>'],
      attributes: ['<pet', (index) => ` a${index}=""`, '/>'],
      'objects in elements': ['<pet>', same('<x><y/></x>'), '</pet>'],
      'a comment': ['<pet><!--', same('ä'), '--></pet>'],
      comments: ['<pet>', same('<!---->'), '</pet>'],
      'CDATA sections': ['<pet>', same('<![CDATA[]]>'), '</pet>'],
      'a CDATA section': ['<pet><![CDATA[', same(']'), ']]></pet>'],
      'open comments': ['', same('<!--'), ''],
      'open sections': ['<pet>', same('<![CDATA['), ''],
      entities: ['<pet><name>', same('&lt;'), '</name></pet>'],
      'half entities': ['<pet><name>', same('&#'), '</name></pet>'],
      blanks: ['<pet', same(' '), '>'],
      'a name': ['<', same('a'), '/>'],
      'an attribute': ['<pet a="', same('\u{1f469}'), '"/>'],
      text: ['<pet><name>', same('\u{1f469}'), '</name></pet>'],
    },
  },
  {
    name: 'form',
    mediaType: 'application/x-www-form-urlencoded',
    files: ['runtime/fields.ts', 'runtime/decode-form.ts'],
    parse: (text) =>
      tolerate(
        () => parseFields(text),
        () => parseCookies(text),
      ),
    pieces: ['a=1', '&', ';', '=', '%', '%00', '+', '[b]', '"', ' ', '__proto__=1', 'ä'],
    attacks: {
      fields: ['', same('a=1&'), 'b=2'],
      'fields of different names': ['', (index) => `k${index}=&`, 'b=2'],
      separators: ['', same('&'), ''],
      cookies: ['', same('a="b"; '), ''],
      blanks: ['a=', same(' '), 'x'],
      'equal signs': ['', same('='), '"'],
      percents: ['', same('%'), '='],
    },
  },
  {
    name: 'multipart',
    mediaType: 'multipart/form-data; boundary=b',
    files: ['runtime/multipart.ts', 'runtime/header-parameters.ts', 'server/body-parts.ts'],
    parse: (text) =>
      tolerate(
        () => parseMultipart(bytesOf(text), 'b'),
        () => readAllItems(bytesOf(text), { format: 'multipart', partTypes: ['application/json'] }, 'b'),
      ),
    pieces: [
      ...[
        '--b',
        '\r\n',
        '--',
        'Content-Disposition: form-data; name="a"',
        'Content-Type: application/json',
        '\r\n\r\n',
      ],
      ...['{"a":1}', '"', ';', '; filename="x"', 'a', '\0', '\n'],
    ],
    attacks: {
      parts: ['', same('--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n'), '--b--'],
      'parts without headers': ['', same('--b\r\n\r\n1\r\n'), '--b--'],
      boundaries: ['', same('--b\r\n'), '--b--'],
      'half boundaries': ['--b\r\n\r\n', same('\r\n-'), '\r\n--b--'],
      headers: ['--b\r\n', same('A: b\r\n'), '\r\n\r\n1\r\n--b--'],
      quotes: ['--b\r\nContent-Disposition: form-data; name="a"', same(';a="\\"'), '\r\n\r\n1\r\n--b--'],
      'line ends': ['--b\r\n\r\n', same('\r\n'), '--b--'],
    },
  },
  {
    name: 'lines of JSON and event streams',
    mediaType: 'text/event-stream',
    files: ['http/item-codec.ts', 'runtime/frame-splitter.ts', 'runtime/items.ts', 'runtime/event-stream.ts'],
    parse: (text) => {
      const formats = ['json-lines', 'json-seq', 'event', 'event-data'] as const;
      tolerate(
        ...formats.map((format) => () => readAllItems(bytesOf(text), { format, jsonEvents: true }, undefined)),
        () => [...new EventParser().push(text)],
        () => new FrameSplitter('event-stream').push(bytesOf(text)),
      );
    },
    pieces: ['{}', '\n', '\r', '\u001e', 'data: {"a":1}', 'data:', 'id: 1', 'retry: 5', ':', '\n\n', '\0', '[1,', '"'],
    attacks: {
      'empty lines': ['', same('\n'), ''],
      items: ['', same('{}\n'), ''],
      records: ['', same('\u001e1\n'), ''],
      'record separators': ['', same('\u001e'), ''],
      'an open record': ['\u001e[', same('1,\n'), ''],
      events: ['', same('data: 1\n\n'), ''],
      'lines of an event': ['', same('data: 1\n'), '\n'],
      'fields of an event': ['', (index) => `k${index}\n`, '\n'],
      'carriage returns': ['', same('\r'), ''],
      comments: ['', same(':\n'), '\n'],
    },
  },
  {
    name: 'HAR',
    mediaType: 'application/x-ndjson',
    files: ['http/har.ts', 'http/recording/element-splitter.ts', 'server/replay/index-recording.ts'],
    parse: (text) =>
      tolerate(() => {
        const elements = new ElementSplitter().push(Buffer.from(text));
        for (const { bytes } of elements) readHarEntry(parseExactJson(bytes.toString()));
      }),
    pieces: [
      '{"log":{"entries":[',
      ']}}',
      '{',
      '}',
      '"request":{"method":"GET","url":"http://x/"}',
      ',',
      '"headers":[',
      ']',
      '1',
    ],
    attacks: {
      entries: [
        '{"log":{"entries":[',
        same('{"request":{"method":"GET","url":"http://x/"},"response":{"status":200}},'),
        '{}]}}',
      ],
      'headers of one name': [
        '{"log":{"entries":[{"request":{"method":"GET","url":"http://x/"},"response":{"status":200,"headers":[',
        same('{"name":"x","value":"a"},'),
        '{}]}}]}}',
      ],
    },
  },
  {
    name: 'CSV',
    mediaType: 'text/csv',
    files: ['server/data/read-csv.ts'],
    parse: async (text) => {
      try {
        await readCsv(text, { file: 'a.csv', name: 'a', delimiter: ',' });
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
      }
    },
    pieces: ['a', ',', '\n', '\r\n', '"', '""', ';', ' ', '1', '\u0000', '\uFEFF'],
    attacks: {
      records: ['a,b\n', same('1,2\n'), ''],
      columns: ['', (index) => `c${index},`, 'z\n1\n'],
      'columns of one name': ['', same('a,'), '\n'],
      'quoted line breaks': ['a\n"', same('x\n'), '"\n'],
      quotes: ['a\n', same('"'), ''],
      'records of other lengths': ['a\n', same(',,,\n'), ''],
    },
  },
  {
    name: 'WebSocket messages',
    mediaType: 'application/json',
    files: ['server/schema-handle.ts'],
    parse: (text) => tolerate(() => openSchema(SOCKET_API, { type: 'object' }).parse(text)),
    pieces: ['{', '}', '[', ']', '"a":', '"', ',', '1', 'null', '\\u0000', '__proto__'],
    attacks: {
      members: ['{', (index) => `"k${index}":1,`, '"z":1}'],
      lists: ['{"a":[', same('[],'), '[]]}'],
      objects: ['{"a":[', same('{},'), '{}]}'],
      levels: ['', same('{"a":'), '1'],
      'a text': ['{"a":"', same('x'), '"}'],
    },
  },
  {
    name: 'YAML',
    mediaType: 'text/plain',
    files: ['model/document/parse-document.ts', 'model/document/yaml-library.ts'],
    parse: (text) => tolerate(() => parseText(text)),
    pieces: ['a: ', '\n', '  ', '- ', '[', ']', '{', '}', '&a ', '*a', '"', "'", '|\n', '? ', '!!binary ', '<<: ', '#'],
    attacks: {
      lists: ['', same('- a\n'), ''],
      members: ['', (index) => `k${index}: 1\n`, ''],
      'nested lists': ['', same('['), ''],
      anchors: ['', (index) => `k${index}: &a${index} 1\n`, ''],
      'a text': ['a: "', same('b '), '"'],
    },
  },
];

/** A text of about a size, made by repetition. */
export function attackText([before, repeated, after]: HostileFormat['attacks'][string], size: number): string {
  const length = repeated(1_000).length;
  return before + Array.from({ length: Math.ceil(size / length) }, (_, index) => repeated(index)).join('') + after;
}
