/** What a call sends; each `@` is a secret of its own. */
export interface Sent {
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly body?: string;
}

const header = (name: string, value = '@'): Sent => ({ headers: { [name]: value } });
const query = (text: string): Sent => ({ target: `/things?${text}` });
const body = (type: string, text: string): Sent => ({ type, body: text });
export const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const json = (text: string): Sent => body(JSON_TYPE, text);
const form = (text: string): Sent => body(FORM, text);
const xml = (text: string): Sent => body('application/xml', text);
const part = (name: string): Sent =>
  body(
    'multipart/form-data; boundary=b',
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n@\r\n--b\r\nContent-Disposition: form-data; name="z"\r\n\r\n1\r\n--b--`,
  );

const HEADERS = [
  ...['Authorization', 'Cookie', 'Proxy-Authorization', 'X-Api-Key', 'X-Auth-Token', 'Private-Token', 'DPoP'],
  ...['X-Forwarded-Access-Token', 'Ocp-Apim-Subscription-Key', 'X-Goog-Api-Key', 'X-Amz-Security-Token', 'Api-Key'],
  ...['X-Forwarded-Client-Cert', 'X-Client-Cert', 'Ssl-Client-Cert', 'X-Goog-Iap-Jwt-Assertion', 'X-User-Pin'],
  ...[
    'X-Csrf-Token',
    'X-Session-Id',
    'X-Secret',
    'X-Password',
    'X-Access-Key',
    'X-Amzn-Oidc-Data',
    'X-Ms-Client-Principal',
  ],
  ...['X-Otp', 'X-Jwt', 'X-Client-Secret', 'X-Account-Key', 'X-Vault-Token', 'X-Gitlab-Token', 'X-Own'],
];
const PARAMETERS = [
  ...['access_token', 'refresh_token', 'id_token', 'client_secret', 'client_assertion', 'assertion', 'code_verifier'],
  ...[
    'device_code',
    'subject_token',
    'actor_token',
    'password',
    'api_key',
    'apikey',
    'token',
    'sig',
    'signature',
    'jwt',
  ],
  ...[
    'X-Amz-Signature',
    'X-Amz-Security-Token',
    'X-Amz-Credential',
    'X-Goog-Signature',
    'id_token_hint',
    'own',
    'secret',
  ],
];
const MEMBERS = [
  ...['access_token', 'accessToken', 'refresh_token', 'id_token', 'client_secret', 'clientSecret', 'client_assertion'],
  ...[
    'assertion',
    'code_verifier',
    'password',
    'newPassword',
    'old_password',
    'api_key',
    'apiKey',
    'private_key',
    'jwt',
  ],
  ...[
    'secretAccessKey',
    'sessionToken',
    'auth_token',
    'bearer_token',
    'security_token',
    'secret_key',
    'passwd',
    'id_token_hint',
    'subject_token',
    'otp',
    'pin',
    'passcode',
    'DPoP',
    'mine',
  ],
];

const encoded = encodeURIComponent;
const mixed = (head: string, text: string, end = '\r\n'): Sent =>
  body('multipart/form-data; boundary=b', ['--b', ...head.split('|'), '', text, '--b--'].join(end));

/** Places that simple rules miss. */
const OTHER_PLACES: Readonly<Record<string, Sent>> = {
  'the code of OAuth alone in a query': query('a=1&code=@'),
  'the code of OAuth alone in a form': form('code=@'),
  'the code of OAuth in JSON': json('{"grant_type":"authorization_code","code":"@"}'),
  'a query parameter with a reference': query('linked=@'),
  'a list in a query': query('list=@&list=@'),
  'an object in a query': query('deep[inner]=@'),
  'an object in an encoded query': query('deep%5Binner%5D=@'),
  'a member that is a parameter': query('flat=@'),
  'JSON in a query': query(`json=${encoded('{"zip":"')}@${encoded('"}')}`),
  'a list in a header': header('X-List', '@, @'),
  'a header with a reference': header('X-Linked'),
  'a path parameter before a slash': { target: '/secret/@/' },
  'a path parameter after two slashes': { target: '//secret/@' },
  'a path parameter below an encoded word': { target: '/%73ecret/@' },
  'a path parameter with more behind it': { target: '/secret/@/more' },
  'a path parameter of another case': { target: '/SECRET/@' },
  'a path of the API in a header': header('X-Original-Url', '/secret/@'),
  'an access token of a load balancer': header('X-Amzn-Oidc-Accesstoken'),
  'a subprotocol with the token in it': header('Sec-WebSocket-Protocol', 'v1, base64url.bearer.authorization.k8s.io.@'),
  'a subprotocol with a key behind its label': header('Sec-WebSocket-Protocol', 'realtime, openai-insecure-api-key.@'),
  'a subprotocol with a token behind a sign': header('Sec-WebSocket-Protocol', 'v1, token=@'),
  'an attribute by its name in XML': xml('<a att-x="@"/>'),
  'an attribute with blanks': xml('<a mine = "@"/>'),
  'an attribute behind a bracket': xml('<a b=">" mine="@"/>'),
  'an attribute of a name in Unicode': xml('<a><ä password="@"/></a>'),
  'an attribute that is cut off': xml('<a password="@'),
  'an element by its name in XML': xml('<a><el-x>@</el-x></a>'),
  'items by their name in XML': xml('<a><li-x>@</li-x></a>'),
  'an element with a comment': xml('<a><mine><!-- </mine> -->@</mine></a>'),
  'an element with two sections': xml('<a><mine>a<![CDATA[</mine>]]>@</mine></a>'),
  'an element of its own name': xml('<a><mine><mine>1</mine>@</mine></a>'),
  'JSON in JSON': json('{"a":"{\\"password\\":\\"@\\"}"}'),
  'a relative URL in JSON': json('{"a":"/back?access_token=@"}'),
  'an address of a database in JSON': json('{"a":"postgres://user:@@x.example/a"}'),
  'an escaped URL in JSON': json(String.raw`{"a":"https:\/\/x.example\/?a=1\u0026X-Amz-Signature=@"}`),
  'headers in JSON': json('{"headers":{"Authorization":"Bearer @"}}'),
  'an object in a form': form('ref[deep]=@'),
  'a token of an object in a form': form('user[token]=@'),
  'a secret of an object in a query': query('user[client][secret]=@'),
  'an object in an encoded form': form('user%5Bpassword%5D=@'),
  'JSON in a form': form(`ref=${encoded('{"deep":"')}@${encoded('"}')}`),
  'a signed URL in a form': form(`a=${encoded('https://x.example/?X-Amz-Signature=')}@`),
  'a form as JSON': json('a=1&client_secret=@'),
  'JSON in a part': mixed(
    'Content-Disposition: form-data; name="a"|Content-Type: application/json',
    '{"password":"@"}',
  ),
  'XML in a part': mixed('Content-Disposition: form-data; name="a"|Content-Type: text/xml', '<a password="@"/>'),
  'a signed URL in a part': mixed('Content-Disposition: form-data; name="a"', 'https://x.example/?sig=@'),
  'a part with an extended name': mixed("Content-Disposition: form-data; name*=utf-8''mine", '@'),
  'a part with another parameter': mixed('Content-Disposition: form-data; x="name=q"; name="mine"', '@'),
  'a part without carriage returns': mixed('Content-Disposition: form-data; name="mine"', '@', '\n'),
  'a member of YAML': body('application/yaml', 'a: 1\nb:\n  - password: @\n'),
  'lines of YAML': body('application/yaml', 'mine: |\n  @\n  @\na: 1\n'),
  'a flow of YAML': body('application/yaml', '{a: 1, mine: @}'),
  'a column of CSV': body('text/csv', 'a,password,b\n1,@,2\n"x\ny","@",3\n'),
};

/** Kinds of credentials, with a call that sends one of each. */
export const KINDS: Readonly<Record<string, Sent>> = {
  ...Object.fromEntries(HEADERS.map((name) => [`the header ${name}`, header(name)])),
  'a bearer token': header('Authorization', 'Bearer @'),
  'a basic credential': header('Authorization', 'Basic @'),
  'a subprotocol of a WebSocket': header('Sec-WebSocket-Protocol', 'json, bearer, @'),
  'user information in a Referer': header('Referer', 'https://user:@@x.example/a'),
  'a signed URL in a Referer': header('Referer', 'https://x.example/a?X-Amz-Signature=@'),
  'a fragment in a header': header('X-Back', 'https://x.example/a#access_token=@'),
  ...Object.fromEntries(PARAMETERS.map((name) => [`the query parameter ${name}`, query(`a=1&${name}=@`)])),
  'a query parameter with a percent-encoded name': query('access%5Ftoken=@'),
  'the code of OAuth in a query': query('code=@&state=1'),
  'a path parameter': { target: '/secret/@' },
  ...Object.fromEntries(MEMBERS.map((name) => [`the member ${name} of JSON`, json(`{"${name}":"@","a":1}`)])),
  'a member deep in JSON': json('{"a":[{"b":{"password":"@"}}]}'),
  'a list of secrets in JSON': json('{"password":["@","@"]}'),
  'a member with an escaped name': json('{"pass\\u0077ord":"@"}'),
  'JSON that is cut off': json('{"password":"@'),
  'JSON of another media type': body('application/problem+json', '{"access_token":"@"}'),
  'a token at the top of JSON': json('{"token":"@"}'),
  'a token deep in JSON': json('{"a":[{"token":"tok_0123456789_@"}]}'),
  'a token in lines of JSON': body('application/x-ndjson', '{"token":"tok_0123456789_@"}\n'),
  'a token in an event stream': body('text/event-stream', 'data: {"token":"tok_0123456789_@"}\n\n'),
  'a token in XML': xml('<a><token>tok_0123456789_@</token></a>'),
  'a signed URL in JSON': json('{"url":"https://x.example/a?X-Amz-Signature=@&a=1"}'),
  'a URL with a password in JSON': json('{"url":"https://user:@@x.example/a"}'),
  'lines of JSON': body('application/x-ndjson', '{"password":"@"}\n{"access_token":"@"}\n'),
  'an event stream': body('text/event-stream', 'data: {"access_token":"@"}\n\n'),
  ...Object.fromEntries(
    [
      'password',
      'client_secret',
      'refresh_token',
      'assertion',
      'token',
      'mine',
      'code_verifier',
      'api_key',
      'device_code',
    ].map((name) => [`the field ${name} of a form`, form(`a=1&${name}=@`)]),
  ),
  'the code of OAuth in a form': form('grant_type=authorization_code&code=@'),
  'a field with a percent-encoded name': form('client%5Fsecret=@'),
  ...Object.fromEntries(['password', 'client_secret', 'mine'].map((name) => [`the part ${name}`, part(name)])),
  'an element of XML': xml('<a><password>@</password></a>'),
  'an element with a prefix': xml('<a xmlns:x="y"><x:password>@</x:password></a>'),
  'an attribute of XML': xml('<a password="@"/>'),
  'a section of XML': xml('<a><access_token><![CDATA[@]]></access_token></a>'),
  'a marked element of XML': xml('<a><mine>@</mine></a>'),
  'XML that is cut off': xml('<a><password>@'),
  ...OTHER_PLACES,
};

/** What a schema marks as a credential. */
export const SECRET: object = { type: 'string', format: 'password' };
const THING = {
  type: 'object',
  properties: {
    mine: SECRET,
    attribute: { ...SECRET, xml: { name: 'att-x', attribute: true } },
    element: { ...SECRET, xml: { name: 'el-x' } },
    items: { type: 'array', items: { ...SECRET, xml: { name: 'li-x' } } },
    ref: { type: 'object', properties: { deep: { anyOf: [SECRET, { type: 'null' }] } } },
    a: {},
  },
};
/** A content of each media type that the kinds use, whose member `mine` is a credential. */
export const CONTENT: Readonly<Record<string, object>> = Object.fromEntries(
  [
    JSON_TYPE,
    'application/problem+json',
    'application/x-ndjson',
    'text/event-stream',
    FORM,
    'multipart/form-data',
    'application/xml',
    'application/yaml',
    'text/csv',
  ].map((type) => [type, { schema: THING }]),
);
/** Parameters that are credentials by their schema. */
export const OWN_PARAMETERS: readonly object[] = [
  { name: 'own', in: 'query', schema: SECRET },
  { name: 'X-Own', in: 'header', schema: SECRET },
  { name: 'X-List', in: 'header', schema: { type: 'array', items: SECRET } },
  { name: 'X-Linked', in: 'header', schema: { $ref: '#/components/schemas/Secret' } },
  { name: 'linked', in: 'query', schema: { $ref: '#/components/schemas/Secret' } },
  { name: 'list', in: 'query', schema: { type: 'array', items: SECRET } },
  { name: 'deep', in: 'query', style: 'deepObject', schema: { type: 'object', properties: { inner: SECRET } } },
  { name: 'exploded', in: 'query', schema: { type: 'object', properties: { flat: SECRET } } },
  {
    name: 'json',
    in: 'query',
    content: { [JSON_TYPE]: { schema: { type: 'object', properties: { zip: SECRET } } } },
  },
];
export const OWN_COMPONENTS: object = { schemas: { Secret: SECRET } };
