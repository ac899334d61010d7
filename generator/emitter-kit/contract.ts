/** Version 1 of the contract between specmill and emitters. A change that breaks an emitter is a major version. */
import type { SourceFile } from 'ts-morph';

import type { ValueTypes } from '../../config/config-types.js';
import type { Api, ApiResponse, MediaType, Operation, Parameter, Server } from '../../model/api.js';
import type { Severity, SourceLocation } from '../../model/diagnostics/diagnostic.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import type { ItemPlan } from '../../runtime/items.js';
import type { TextShape } from '../../runtime/text-shape.js';
import type { XmlPlan } from '../../runtime/xml.js';
import type { Direction } from '../../schema/variants.js';
import type { GeneratedFile } from '../emitter.js';
import type { Pagination } from '../helpers/pagination.js';
import type { BodyForm } from '../media-kind.js';
import type { PathRule } from '../../runtime/route-tree.js';

export type { MediaType, Operation, Parameter } from '../../model/api.js';
export type { Schema, SchemaObject } from '../../model/schema-types.js';
export type { Direction } from '../../schema/variants.js';
export type { Pagination } from '../helpers/pagination.js';

/** An emitter that is written with `defineEmitter`. `Options` are its options with their defaults. */
export interface EmitterDefinition<Options extends object = object> {
  /** Name on the command line (`--only types,valibot`) and in messages. */
  readonly name: string;
  /** The version of the contract. */
  readonly version: 1;
  /** The emitters that run before this one. They run even if the user did not choose them. */
  readonly requires?: readonly string[];
  /** The options by name, each as a JSON Schema with `description` and `default`. */
  readonly options?: Readonly<Record<string, OptionDeclaration>>;
  /** Packages that the emitted files import, with the supported versions: `{ valibot: '>=1' }`. */
  readonly peers?: Readonly<Record<string, string>> | ((options: Options) => Readonly<Record<string, string>>);
  /** Whether `index.ts` exports the emitted TypeScript files. Default: no, because they may import a package. */
  readonly exports?: boolean;
  /** Emits files, by `kit.file` or as a list. */
  readonly emit: (
    api: EmitterApi,
    kit: EmitterKit<Options>,
  ) => void | readonly GeneratedFile[] | Promise<void | readonly GeneratedFile[]>;
}

/** An option of an emitter: a JSON Schema. */
export interface OptionDeclaration extends Pick<SchemaObject, 'type' | 'enum' | 'minimum' | 'maximum' | 'items'> {
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, OptionDeclaration>>;
  readonly additionalProperties?: OptionDeclaration | boolean;
}

/** The services of a run for one emitter. */
export interface EmitterKit<Options extends object = object> {
  /** Name of the API in the configuration, such as `rate-limits`. */
  readonly apiName: string;
  /** The options that the user gave, checked, with the declared defaults. */
  readonly options: Readonly<Options>;
  /** The names of all emitters that run. */
  readonly emitters: ReadonlySet<string>;
  /** The types that the output has for dates, 64-bit integers and ids. */
  readonly types: ValueTypes;
  readonly names: OutputNames;
  readonly print: Printers;
  readonly helpers: ParsedHelpers;
  readonly samples: Samples;
  /**
   * Returns a new file of the output as a `SourceFile` of ts-morph. When it is written, it gets the banner, the user's
   * header and the import extension, and it is formatted and parsed. Import other files of the output with `.js`.
   */
  readonly file: (path: string, options?: FileOptions) => SourceFile;
  /** The path of a runtime module from the root of the output, such as `./runtime/checks.js`. It is copied into the output. */
  readonly runtime: (module: string) => string;
  /** A module of the output with compiled checks, for what the schemas of a library cannot say. Written if one is used. */
  readonly checks: (path: string) => CheckModule;
  /** Reports a problem of the spec to the user. `--strict` makes any problem an error. */
  readonly report: (problem: EmitterProblem) => void;
}

/** A file of the output that is not written yet: a `SourceFile` of ts-morph. */
export type OutputFile = SourceFile;

/** How a file begins, and how it is written. */
export interface FileOptions {
  /**
   * The first statements. A large file is made fastest from one text. A function is called when the file is written,
   * after all imports are noted; ts-morph does not see its text.
   */
  readonly text?: string | (() => string);
  /** `false`: the text is formatted already. Formatting a megabyte takes seconds. Default: `true`. */
  readonly format?: boolean;
  /** `true`: the compiler of users takes the types of a large file as they are, without checking its bodies. */
  readonly unchecked?: boolean;
}

/** Functions that check values as the validators of the output do. */
export interface CheckModule {
  /** The function that checks JSON by a schema: a `Check` of `runtime/checks.ts`. Equal schemas have one function. */
  readonly of: (schema: Schema, direction: Direction) => OutputName;
}

/** A problem of the spec that an emitter found. */
export interface EmitterProblem {
  /** One plain sentence. */
  readonly message: string;
  /** The code of the diagnostic, by which users find it. Default: `emitter-report`. */
  readonly code?: string;
  /** Default: `warning`. */
  readonly severity?: Severity;
  /** Such as `operation.source`. Default: the spec. */
  readonly source?: SourceLocation;
}

/** An `Api` with what emitters need to know about it. */
export interface EmitterApi extends Omit<Api, 'operations'> {
  readonly operations: readonly EmitterOperation[];
  /** All named schemas, each after those that it refers to. */
  readonly schemasInOrder: () => readonly OrderedSchema[];
  /** The groups of schemas that refer to each other, or to themselves. */
  readonly cycles: readonly (readonly string[])[];
  /** The name that a `$ref` refers to. */
  readonly refName: (ref: string) => string;
  /** The `$ref` to a named schema. */
  readonly refTo: (name: string) => string;
  /** Follows references: the schema that `$ref` leads to. `true` if there is none. */
  readonly resolve: (schema: Schema) => Schema;
  /** Calls a function for a schema and each schema inside of it, without following references. */
  readonly visitSchema: (schema: Schema, visit: (schema: SchemaObject) => void) => void;
  /**
   * The schema of a value in one direction: without the members that only the server sets (`request`), or that it never
   * shows (`response`). References keep their names; project the schema that they lead to as well.
   */
  readonly projectSchema: (schema: Schema, direction: Direction) => Schema;
  /** Whether the validators of a direction accept a value, such as a default. */
  readonly accepts: (schema: Schema, value: unknown, direction: Direction) => boolean;
  /** Whether values of a direction have a member: `readOnly` ones are not sent, `writeOnly` ones not received. */
  readonly travels: (member: Schema, direction: Direction) => boolean;
  /** The schemas of the bodies that an operation receives and sends. */
  readonly bodySchemas: (operation: Operation) => readonly BodySchema[];
  /** How programs read and write one of the media types of a body, `content`. */
  readonly bodyShape: (media: MediaType, content: readonly MediaType[]) => BodyShape;
  /** How a text, such as a parameter or the field of a form, is decoded for a schema: `readShape` of the runtime. */
  readonly textShape: (schema: Schema) => TextShape | undefined;
  /** The parameters of a path that are not a plain segment or part of one: `RouteTree` of the runtime. */
  readonly pathRules: (operation: Operation) => readonly PathRule[];
  /** The paths of servers, such as `/v1`. */
  readonly basePaths: (servers: readonly Server[]) => readonly string[];
}

/** How programs read and write a body. */
export interface BodyShape {
  readonly kind:
    | 'json'
    | 'form'
    | 'multipart'
    | 'text'
    /** A text that is documented as a file. */
    | 'text-file'
    /** Events without a schema of their items. */
    | 'stream'
    | 'binary'
    /** Any media type, with a schema or without one. */
    | 'any'
    | 'unknown'
    | 'xml'
    /** Item by item. */
    | 'items'
    /** A list of unnamed parts. */
    | 'parts';
  /** The plan of `runtime/xml.ts` or `runtime/items.ts`. */
  readonly plan?: object;
  /** The schema of the items. */
  readonly items?: Schema;
}

export interface OrderedSchema {
  /** Its name, as `names.schema` takes it. */
  readonly name: string;
  readonly schema: Schema;
  /** Whether it refers to itself, directly or through others. */
  readonly isCyclic: boolean;
  /** Whether the schema of a request differs from that of a response. */
  readonly hasInput: boolean;
}

export interface EmitterOperation extends Operation {
  /** The first documented success, and what a call returns for it; absent if the spec documents none. */
  readonly success?: OperationResult;
  /** The documented responses that a call throws. */
  readonly failures: readonly OperationResult[];
  /** Its parameters by their group in a request: `path`, `query`, `headers`, `cookies`. Empty groups are left out. */
  readonly groups: readonly (readonly [group: string, parameters: readonly Parameter[]])[];
  /** Whether a call needs values. */
  readonly needsRequest: boolean;
  /** Whether the data of its success is an async iterable of items. */
  readonly isStream: boolean;
}

export interface OperationResult {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  readonly response: ApiResponse;
  /** The content that a call prefers: JSON before all others; absent without a body. */
  readonly content?: MediaType;
}

export interface BodySchema {
  /** The name of a named schema, or a stable name for an inline one, such as `CreateOrderBody` or `GetOrderResponse200`. */
  readonly name: string;
  /** Whether `name` is that of a named schema. */
  readonly isNamed: boolean;
  readonly direction: Direction;
  /** Absent for the body of a request. */
  readonly status?: string;
  readonly mediaType: string;
  /** How programs write and read it: `json`, `form`, `multipart`, `text`, … */
  readonly form: BodyForm['kind'];
  readonly schema: Schema;
}

/** An identifier of the output. */
export interface OutputName {
  readonly name: string;
  /** The file that exports it, from the root of the output: `./types.js`. */
  readonly module: string;
}

/** Names that an emitter can give to its own exports: always the same for the same parts, and never twice. */
export interface OwnNames {
  /** `orderSchema` for the suffix `Schema`. */
  readonly constant: (suffix?: string) => string;
  /** `zOrder` for the prefix `z`. */
  readonly prefixed: (prefix: string, suffix?: string) => string;
}

export interface SchemaNames extends OwnNames {
  readonly type: OutputName;
  /** The type of a request; equal to `type` if they do not differ. */
  readonly inputType: OutputName;
  readonly is: OutputName;
  readonly assert: OutputName;
  readonly validate: OutputName;
  readonly fixture: OutputName;
}

export interface OperationNames extends OwnNames {
  /** Whether the client has a function for it: a live session replaces its operation. */
  readonly hasFunction: boolean;
  readonly fn: OutputName;
  readonly request: OutputName;
  readonly response: OutputName;
  readonly failure: OutputName;
  readonly validateRequest: OutputName;
  readonly validateResponse: OutputName;
  /** The function that reads all items of a list, page by page. */
  readonly items?: OutputName;
  /** The function that reads the messages of a stream of events. */
  readonly events?: OutputName;
}

export interface OutputNames {
  readonly schema: (name: string) => SchemaNames;
  readonly operation: (operation: Operation) => OperationNames;
  /** The type of the first argument of all functions: `ShopContext`. */
  readonly context: OutputName;
  /** The name of the API in PascalCase: `RateLimits`. */
  readonly api: string;
  /** Returns a name that this emitter has not used: `name`, `name2`, … */
  readonly unique: (name: string) => string;
  /** Imports a name into a file and returns its local name. A type is imported with `{ type: true }`. */
  readonly import: (file: SourceFile, name: OutputName, options?: { readonly type?: boolean }) => string;
}

export interface Printers {
  /**
   * Prints a schema as a type: of data that the client receives (`output`) or sends (`input`), or of JSON as it is sent
   * (`json`, `json-input`). With a file, the types that it refers to are imported there.
   */
  readonly type: (schema: Schema, direction: 'output' | 'input' | 'json' | 'json-input', file?: SourceFile) => string;
  /** A text of the spec that is safe inside a comment, such as `docs` of ts-morph. */
  readonly text: (text: string) => string;
  /** A whole comment of texts of the spec. Empty without a text. */
  readonly comment: (...texts: readonly (string | undefined)[]) => string;
  /** A JSON value as an expression. */
  readonly literal: (value: unknown) => string;
  /** A pattern as the expression that the validators test; `undefined` if it is no pattern, or slow on hostile texts. */
  readonly pattern: (pattern: string) => string | undefined;
  /**
   * The function of `runtime/formats.ts` that tests a format of texts or numbers; `undefined` if the validators do not
   * check it.
   */
  readonly format: (format: string, type: 'string' | 'number') => string | undefined;
  /** A member name as code of an object: `name` or `'full name'`. */
  readonly key: (name: string) => string;
  /**
   * The functions that convert the values of an operation between JSON and the types of the output.
   *
   * @param use - imports a name from a runtime module or `./codecs.js`, and returns its local name.
   */
  readonly codecs: (operation: Operation, use: (name: OutputName) => string) => CodecCode;
}

/** Code of codecs (`runtime/codecs.ts`); absent where values are as in JSON. */
export interface CodecCode {
  /** Of a request by group: `{ path, query, headers, body }`. */
  readonly request?: string;
  /** Of the data of responses, by status. */
  readonly responses: Readonly<Record<string, string>>;
  /** Of each item of streamed responses, by status. */
  readonly items: Readonly<Record<string, string>>;
  /** Whether integers in JSON can be longer than a number. */
  readonly isExact: boolean;
}

/** Valid values for bodies, as JSON. */
export interface Samples {
  /** The function that returns the fixture of a named schema as JSON. Absent without the emitter `fixtures`, and for scalars. */
  readonly fixture: (name: string) => OutputName | undefined;
  /** The examples of a body in the spec that are valid. Those of a stream are lists of items. */
  readonly examples: (content: MediaType, direction: Direction) => readonly unknown[];
  /** Makes a value; absent if none is found. The same seed gives the same value. */
  readonly make: (schema: Schema, direction: Direction, seed: number) => { readonly value: unknown } | undefined;
  /** The items of a stream: their schema, and how `runtime/items.ts` writes them. */
  readonly items: (content: MediaType) => { readonly schema: Schema; readonly plan: ItemPlan } | undefined;
  /** How `runtime/xml.ts` reads and writes a body whose values are XML. */
  readonly xml: (content: MediaType, all: readonly MediaType[]) => XmlPlan | undefined;
}

/** What helpers of the spec say, parsed and checked. */
export interface ParsedHelpers {
  /** How a list is read page by page, by `x-pagination` or as inferred; `undefined` if it is not certain. */
  readonly pagination: (operation: Operation) => Pagination | undefined;
  /** The members of the item in a response that repeat parameters of the path: `{ id: ['id'] }`. */
  readonly itemMembers: (operation: Operation) => Readonly<Record<string, readonly string[]>>;
}
