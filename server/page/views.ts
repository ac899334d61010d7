import type { FieldEncoding } from '../../http/request/write-request.js';
import type { Parameter } from '../../model/api.js';
import type { MappedResource, UnmappedOperation } from '../../resources/map/resource-map.js';
import type { SuggestedCorrection } from '../../resources/suggest-corrections.js';
import type { Schema } from '../../model/schema-types.js';

/** The overview of an API: `GET /__specmill/page/api.json`. */
export interface DescribedApi {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  /** Operations by tag, in the order of the document; untagged ones come last. */
  readonly groups: readonly DescribedGroup[];
}

export interface DescribedGroup {
  readonly tag: string;
  readonly description?: string;
  readonly operations: readonly OperationSummary[];
}

export interface OperationSummary {
  readonly id: string;
  /** The HTTP method, as it is sent. */
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly deprecated: boolean;
}

/** The details of an operation: `GET /__specmill/page/operation.json?id=ID`. */
export interface DescribedOperation extends OperationSummary {
  /** The name of the method in the generated client. */
  readonly name: string;
  readonly description?: string;
  /** The path in the mock, including the base path. */
  readonly route: string;
  /** The client helpers that the operation declares, each as its extension and value. */
  readonly helpers: readonly { readonly name: string; readonly value: unknown }[];
  readonly parameters: readonly DescribedParameter[];
  readonly body?: DescribedBody;
  readonly responses: readonly DescribedResponse[];
  readonly security: readonly DescribedCredential[];
  /** Whether it opens a WebSocket. */
  readonly isLive: boolean;
  readonly schemas: Readonly<Record<string, Schema>>;
}

export interface DescribedParameter extends Pick<
  Parameter,
  'name' | 'in' | 'required' | 'style' | 'explode' | 'allowReserved'
> {
  readonly description?: string;
  readonly mediaType?: string;
  readonly schema: Schema;
  /** The encodings of the members of a form, by name. */
  readonly encoding?: FieldEncodings;
  /** The types that the value may have; none: any. */
  readonly types: readonly string[];
  /** The same for the items of a list. */
  readonly itemTypes?: readonly string[];
  /** An example or a generated value, as text. */
  readonly sample: string;
}

export interface DescribedBody {
  readonly required: boolean;
  readonly description?: string;
  readonly content: readonly DescribedContent[];
}

export type FieldEncodings = readonly (readonly [name: string, encoding: FieldEncoding])[];

export interface DescribedContent {
  readonly mediaType: string;
  /** The content type to send, if it differs from the media type. */
  readonly contentType?: string;
  readonly encoding?: FieldEncodings;
  readonly schema?: Schema;
  /** As they are sent, but members of forms as JSON. */
  readonly examples: readonly { readonly name: string; readonly text: string }[];
}

export interface DescribedResponse {
  readonly status: string;
  readonly description: string;
  readonly headers: readonly { readonly name: string; readonly description?: string; readonly schema: Schema }[];
  readonly content: readonly DescribedContent[];
}

export interface DescribedCredential {
  readonly id: string;
  readonly kind: 'basic' | 'bearer' | 'key' | 'other';
  /** The place of an API key. */
  readonly in?: 'query' | 'header' | 'cookie';
  /** The name of an API key's parameter, or of the scheme. */
  readonly name: string;
}

/** What a mock manages: `GET /__specmill/page/resources.json`. */
export interface DescribedResources {
  /** The name of the API. */
  readonly api: string;
  readonly title: string;
  readonly version: string;
  /** The resources whose items a mock keeps. */
  readonly resources: readonly MappedResource[];
  /** Operations whose responses do not depend on earlier requests, each with the reason. */
  readonly stateless: readonly UnmappedOperation[];
  /** Ids of operations with a handler of their own, for which the map may not hold. */
  readonly handled: readonly string[];
  /** Corrections that would decide what is not sure. */
  readonly suggestions: readonly SuggestedCorrection[];
}

/** The form of an item, in the list `forms` of `GET /__specmill/page/forms.json`. */
export interface DescribedForm {
  /** The path of the collection. */
  readonly path: string;
  /** None if the schema of its items is not known. */
  readonly fields: readonly DescribedField[];
}

export interface DescribedField {
  readonly name: string;
  readonly required: boolean;
  /** The types that the value may have; none: any. */
  readonly types: readonly string[];
  /** The only values. */
  readonly values?: readonly unknown[];
  readonly description?: string;
}
