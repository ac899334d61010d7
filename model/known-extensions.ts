/**
 * The extensions that change what generated code, mocks and contract tests do: all of `specs/extensions.schema.json`
 * except those that are only for people.
 */
export const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set([
  ...['x-accept', 'x-conditional-polling', 'x-empty-list', 'x-enum-any-case', 'x-event-stream'],
  ...['x-expires', 'x-issued', 'x-json-content-types', 'x-live-session', 'x-member-names'],
  ...['x-multipart-forms', 'x-number-for-int64', 'x-optional', 'x-pagination', 'x-path-any-case'],
  ...['x-policy', 'x-rate-limit', 'x-read-before-write', 'x-resources', 'x-resumable-upload', 'x-rule'],
  ...['x-scopes', 'x-streaming', 'x-sub-account', 'x-websocket'],
]);
