/** Anybody's document, all the way: taken in, found, read, previewed, gated and removed again. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Call } from '../dispatch/dispatch-call.ts';
import { openDispatch } from '../dispatch/open-dispatch.ts';
import { RouterError } from '../errors.ts';
import { openCatalog, trialBuild } from '../open-catalog.ts';
import { openRouter } from '../router.ts';
import { createLogger } from '../telemetry/logger.ts';
import { approver } from '../test/support/approvers.ts';
import { SILENT_CALLER } from '../test/support/caller.ts';
import { document, OK, oddFolder, pathParameter } from '../test/support/malformed-documents.ts';
import { SAMPLE_BASE, type SampleInstallation, sampleInstallation } from '../test/support/sample-installation.ts';
import { json, sampleNetwork } from '../test/support/sample-network.ts';
import { importDocument } from './import-document.ts';
import type { ImportOptions } from './import-options.ts';
import { readOperationOverrides } from './read-operations.ts';
import { definePlatform, removeUserPlatform, writeUserPlatform } from './user-platform.ts';

const TOKEN = 'books-api-token-31337';
const books = (more: object = {}) =>
  document(
    {
      '/books': {
        get: {
          operationId: 'listBooks',
          summary: 'List the books of the library',
          responses: { 200: { content: { 'application/json': { schema: { type: 'array', items: {} } } } } },
        },
      },
      '/books/{isbn}': {
        parameters: [
          pathParameter('isbn'),
          { name: 'X-Library-Key', in: 'header', required: true, schema: { type: 'string' } },
        ],
        get: { operationId: 'getBook', summary: 'Get one book', responses: OK },
        delete: { operationId: 'deleteBook', summary: 'Delete one book', responses: OK },
      },
    },
    { servers: [{ url: SAMPLE_BASE }], ...more },
  );

/** A sample installation to which this document was added under the name `books`. */
async function added(content: unknown, options: Partial<ImportOptions> = {}) {
  const installation = sampleInstallation();
  using folder = oddFolder();
  const taken = await importDocument(folder.write('library.json', content));
  const platform = definePlatform({ name: 'books', ...options }, taken);
  const file = writeUserPlatform(installation.config().configDir, platform, taken);
  return { installation, platform, file };
}

async function invoke(
  installation: SampleInstallation,
  variables: Record<string, string>,
  call: Pick<Call, 'dispatcher' | 'name'> & Partial<Call>,
) {
  const config = installation.config(variables);
  const { catalog } = openCatalog(config);
  const { dispatch } = openDispatch(config, catalog, createLogger('silent'));
  const result = await dispatch.invoke({ arguments: {}, principal: 'local', approver: approver(), ...call });
  catalog.close();
  return result.kind === 'done' ? result.result : result.kind === 'refused' ? result.refusal : result;
}

test('its file says how to reach and guard it, and holds no credential', async () => {
  const { installation, file, platform } = await added(books());
  expect(parse(readFileSync(file, 'utf8'))).toEqual({
    ...platform,
    documents: expect.stringMatching(/^books-[0-9a-f]{8}$/),
  });
  expect(platform).toMatchObject({
    id: 'books',
    kind: 'user',
    stated_base_url: SAMPLE_BASE,
    auth: { strategy: 'none', variables: { base_url: 'SVC_BOOKS_BASE_URL' } },
    gate: { variable: 'SVC_MCP_BOOKS_WRITES', default: 'off' },
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  installation[Symbol.dispose]();
});

test('from then on it is found, looked up and served, in a catalog of its own', async () => {
  const { installation } = await added(books());
  const config = installation.config();
  expect(config.catalogDir).toBe(join(config.configDir, 'catalog'));
  const router = await openRouter(config, createLogger('silent'));
  const { hits } = router.finder.find({ query: 'which books does the library have', topK: 1 });
  expect(hits[0]?.tool.name).toBe('books_list_books');
  expect(router.tools[0]?.definition.description).toContain('books (Odd)');
  const looked = await router.tools[1]?.run({ name: 'lookup_api', arguments: { query: 'getBook' } }, SILENT_CALLER);
  expect(JSON.stringify(looked)).toContain('books/library#/paths/~1books~1{isbn}/get');
  router.close();
  installation[Symbol.dispose]();
});

describe('the platform sees the credential of its strategy', () => {
  /** As the operator says with --base-url. */
  const NAMED = { baseUrl: SAMPLE_BASE };
  const scheme = (definition: object) => ({ components: { securitySchemes: { own: definition } } });
  const oauth2 = (tokenUrl: string) =>
    scheme({ type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: {} } } });
  const client = { SVC_BOOKS_CLIENT_ID: 'books-client', SVC_BOOKS_CLIENT_SECRET: 'books-secret-9' };
  const cases: [string, object, Partial<ImportOptions>, Record<string, string>, Record<string, string | undefined>][] =
    [
      ['none', {}, {}, {}, { authorization: undefined }],
      [
        'a bearer token, as the document states',
        scheme({ type: 'http', scheme: 'bearer' }),
        NAMED,
        { SVC_BOOKS_API_TOKEN: TOKEN },
        { authorization: `Bearer ${TOKEN}` },
      ],
      [
        'an API key in the header the document names',
        scheme({ type: 'apiKey', in: 'header', name: 'X-Library-Key' }),
        {},
        { SVC_BOOKS_API_TOKEN: TOKEN, SVC_BOOKS_BASE_URL: SAMPLE_BASE },
        { 'x-library-key': TOKEN, authorization: undefined },
      ],
      [
        'an API key in the header the user names',
        {},
        { ...NAMED, auth: 'api-key', header: 'X-Other' },
        { SVC_BOOKS_API_TOKEN: TOKEN },
        { 'x-other': TOKEN },
      ],
      [
        'a token of its own endpoint',
        oauth2(`${SAMPLE_BASE}/as/token`),
        NAMED,
        client,
        { authorization: 'Bearer sample-access-token-1' },
      ],
      [
        'a token of its own endpoint, on the server that only the account names',
        oauth2(`${SAMPLE_BASE}/as/token`),
        {},
        { ...client, SVC_BOOKS_BASE_URL: SAMPLE_BASE },
        { authorization: 'Bearer sample-access-token-1' },
      ],
      [
        'a token of the endpoint the user names',
        {},
        { ...NAMED, auth: 'oauth2-client-credentials', tokenUrl: '/as/token' },
        client,
        { authorization: 'Bearer sample-access-token-1' },
      ],
    ];
  test.each(cases)('%s', async (_, more, options, variables, headers) => {
    using network = sampleNetwork();
    network.respond(() => json([{ isbn: '1' }]));
    const { installation } = await added(books(more), options);
    const answer = await invoke(installation, variables, { dispatcher: 'invoke_read_tool', name: 'books_list_books' });
    expect(answer).toMatchObject({ items: [{ isbn: '1' }] });
    const sent = network.calls[0]?.headers ?? {};
    for (const [name, value] of Object.entries(headers)) expect(sent[name], name).toBe(value);
    installation[Symbol.dispose]();
  });

  test.each<[string, object, Record<string, string>, RegExp]>([
    [
      'a bearer token',
      scheme({ type: 'http', scheme: 'bearer' }),
      { SVC_BOOKS_API_TOKEN: TOKEN },
      /`books.base_url` should be set .* by SVC_BOOKS_BASE_URL, got only "http:\/\/platform.test\/mgmt" of the document/,
    ],
    [
      'an API key',
      scheme({ type: 'apiKey', in: 'header', name: 'X-K' }),
      { SVC_BOOKS_API_TOKEN: TOKEN },
      /`books.base_url` should be set/,
    ],
    ['a client secret', oauth2(`${SAMPLE_BASE}/as/token`), client, /`books.base_url` should be set/],
    [
      'a client secret, to the token URL of another origin',
      oauth2(`${SAMPLE_BASE}/as/token`),
      { ...client, SVC_BOOKS_BASE_URL: 'https://elsewhere.test/api' },
      /`books.token_url` should be set .*, got only "http:\/\/platform.test\/mgmt\/as\/token" of the document/,
    ],
  ])('%s goes nowhere that only the document names', async (_, more, variables, message) => {
    using network = sampleNetwork();
    const { installation, platform } = await added(books(more));
    expect(platform.base_url).toBeUndefined();
    const answer = await invoke(installation, variables, { dispatcher: 'invoke_read_tool', name: 'books_list_books' });
    expect(answer).toMatchObject({ code: 'credentials_missing', message: expect.stringMatching(message) });
    expect([network.calls, network.tokenRequests]).toEqual([[], []]);
    installation[Symbol.dispose]();
  });

  test('a missing one is a refusal that names its variable, and nothing is sent', async () => {
    using network = sampleNetwork();
    const { installation } = await added(books(scheme({ type: 'http', scheme: 'bearer' })), NAMED);
    const answer = await invoke(installation, {}, { dispatcher: 'invoke_read_tool', name: 'books_list_books' });
    expect(answer).toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('SVC_BOOKS_API_TOKEN'),
    });
    expect(network.calls).toEqual([]);
    installation[Symbol.dispose]();
  });

  describe('a document cannot send our client secret to another server', () => {
    test.each<[string, Partial<ImportOptions>]>([
      ['https://elsewhere.test/token', {}],
      ['https://elsewhere.test/token', NAMED],
      [`${SAMPLE_BASE}/as/token`, { baseUrl: 'https://named.test' }],
      ['https://{tenant}.elsewhere.test/token', NAMED],
    ])('its tokens at %s, added with %j', async (url, named) => {
      using network = sampleNetwork();
      const { installation, platform } = await added(books(oauth2(url)), named);
      expect(platform.auth).toMatchObject({ strategy: 'oauth2-client-credentials', stated_token_url: url });
      expect([platform.auth.token_path, platform.named_origins]).toEqual([undefined, undefined]);
      const variables = { ...client, SVC_BOOKS_BASE_URL: named.baseUrl ?? SAMPLE_BASE };
      const answer = await invoke(installation, variables, {
        dispatcher: 'invoke_read_tool',
        name: 'books_list_books',
      });
      expect(answer).toMatchObject({
        code: 'credentials_missing',
        message: expect.stringMatching(/`books.token_url` should be set .* which is not on the server of `base_url`/),
      });
      expect([network.calls, network.tokenRequests]).toEqual([[], []]);
      installation[Symbol.dispose]();
    });
  });

  test.each(['', 'javascript:alert(1)', 'token'])(
    'a token URL %j is never asked: setup has to name one',
    async (url) => {
      using network = sampleNetwork();
      const { installation, platform } = await added(books(oauth2(url)), NAMED);
      expect(JSON.stringify(platform.auth)).not.toMatch(/token_path|stated_token_url/);
      const variables = { ...client, SVC_BOOKS_BASE_URL: SAMPLE_BASE };
      const answer = await invoke(installation, variables, {
        dispatcher: 'invoke_read_tool',
        name: 'books_list_books',
      });
      expect(answer).toMatchObject({ code: 'credentials_missing', message: expect.stringContaining('token_url') });
      expect([network.calls, network.tokenRequests]).toEqual([[], []]);
      installation[Symbol.dispose]();
    },
  );

  test('the header of the key is no argument of a call', async () => {
    using network = sampleNetwork();
    const { installation } = await added(books(scheme({ type: 'apiKey', in: 'header', name: 'x-library-key' })), NAMED);
    const env = { SVC_BOOKS_API_TOKEN: TOKEN };
    expect(
      await invoke(installation, env, {
        dispatcher: 'invoke_read_tool',
        name: 'books_get_book',
        arguments: { isbn: '1' },
      }),
    ).toEqual({});
    expect(network.calls[0]?.headers['x-library-key']).toBe(TOKEN);
    expect(
      await invoke(installation, env, {
        dispatcher: 'invoke_read_tool',
        name: 'books_get_book',
        arguments: { isbn: '1', 'X-Library-Key': 'mine' },
      }),
    ).toMatchObject({ code: 'invalid_arguments' });
    installation[Symbol.dispose]();
  });
});

test('its writes are off, product access does not open them, its own variable does', async () => {
  using network = sampleNetwork();
  const { installation } = await added(books(), { auth: 'none' });
  const call = {
    dispatcher: 'invoke_tool',
    name: 'books_delete_book',
    arguments: { isbn: '1', 'X-Library-Key': 'k' },
  } as const;
  for (const variables of [{}, { SVC_MCP_PRODUCT_ACCESS: 'read-write' }])
    expect(await invoke(installation, variables, call)).toMatchObject({
      code: 'blocked',
      gate: { env_var: 'SVC_MCP_BOOKS_WRITES', state: 'disabled' },
    });
  expect(network.calls).toEqual([]);
  expect(await invoke(installation, { SVC_MCP_BOOKS_WRITES: '1' }, call)).toMatchObject({
    status: 'dry_run',
    request: { method: 'DELETE', path: '/books/1' },
  });
  expect(network.calls.map(({ method }) => method)).toEqual(['GET']);
  installation[Symbol.dispose]();
});

describe('an operation that only reads, by the operator’s word', () => {
  const shelf = (description: string) =>
    document(
      {
        '/shelves/search': {
          post: {
            operationId: 'searchShelves',
            description,
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Wish' } } } },
            responses: OK,
          },
          delete: { operationId: 'deleteShelves', responses: OK },
        },
        '/shelves': { get: { operationId: 'listShelves', responses: OK } },
      },
      { servers: [{ url: SAMPLE_BASE }], components: { schemas: { Wish: { type: 'object' } } } },
    );
  const call = { dispatcher: 'invoke_read_tool', name: 'books_search_shelves', arguments: { body: {} } } as const;

  async function lowered(...ids: string[]) {
    using folder = oddFolder();
    const taken = await importDocument(folder.write('library.json', shelf('Searches.')));
    const platform = definePlatform({ name: 'books' }, taken);
    const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
    const overrides = readOperationOverrides(ids, 'books', trialBuild(platform, documents));
    const installation = sampleInstallation();
    writeUserPlatform(installation.config().configDir, { ...platform, overrides }, taken);
    return { installation, overrides };
  }

  test.each(['searchShelves', 'books_search_shelves', 'POST /shelves/search', 'post /shelves/search'])(
    'named by %s it runs as a read, and find and the audit log say whose word that is',
    async (id) => {
      using network = sampleNetwork();
      const { installation } = await lowered(id);
      const log = join(installation.root, 'audit.jsonl');
      expect(await invoke(installation, { SVC_MCP_AUDIT_LOG: log }, call)).toEqual({});
      expect(network.calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /shelves/search']);
      const { catalog } = openCatalog(installation.config());
      expect(catalog.tool(call.name)?.evidence).toMatchObject({ by: 'operator', detail: expect.stringContaining(id) });
      expect(catalog.tool('books_list_shelves')?.evidence.by).toBe('method');
      catalog.close();
      expect(JSON.parse(readFileSync(log, 'utf8').trim().split('\n').at(-1) as string)).toMatchObject({
        tool: call.name,
        capability: 'read',
        class_by: 'operator',
      });
      installation[Symbol.dispose]();
    },
  );

  test.each<[string, (text: string) => string]>([
    ['its text', (text) => text.replace('Searches.', 'Deletes.')],
    ['what it refers to', (text) => text.replace('"Wish":{"type":"object"}', '"Wish":{"type":"string"}')],
    ['the security of all', (text) => text.replace('"openapi":', '"security":[{"key":[]}],"openapi":')],
    ['its path, so that it is gone', (text) => text.replace('/shelves/search', '/shelves/find')],
  ])('lapses with %s', async (_, change) => {
    using network = sampleNetwork();
    const { installation } = await lowered('searchShelves');
    const folder = join(installation.config().configDir, 'platforms');
    const home = readdirSync(folder).find((name) => name.startsWith('books-')) ?? '';
    const file = join(folder, home, 'library.json');
    const text = readFileSync(file, 'utf8');
    expect(change(text)).not.toBe(text);
    writeFileSync(file, change(text));
    expect(await invoke(installation, {}, call)).toMatchObject({ code: 'blocked' });
    expect(network.calls).toEqual([]);
    const { catalog } = openCatalog(installation.config());
    expect(catalog.summary.notes).toEqual([
      expect.stringMatching(/^books\/.*POST \/shelves\/search.*(changed since|is gone)/),
    ]);
    catalog.close();
    installation[Symbol.dispose]();
  });

  test('holds while only another operation changes', async () => {
    using network = sampleNetwork();
    const { installation } = await lowered('searchShelves');
    const folder = join(installation.config().configDir, 'platforms');
    const home = readdirSync(folder).find((name) => name.startsWith('books-')) ?? '';
    const file = join(folder, home, 'library.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('listShelves', 'getShelves'));
    expect(await invoke(installation, {}, call)).toEqual({});
    expect(network.calls).toHaveLength(1);
    installation[Symbol.dispose]();
  });

  test.each([
    ['deleteShelves', /names DELETE \/shelves\/search, which is never lowered/],
    ['searchShelfs', /"searchShelfs" names nothing in the documents/],
    ['constructor', /names nothing/],
  ])('%s is refused', async (id, message) => {
    await expect(lowered(id)).rejects.toThrow(message);
  });

  test('the nearest is named, and two of one name are no answer', async () => {
    await expect(lowered('searchShelfs')).rejects.toMatchObject({ remedy: expect.stringContaining('searchShelves') });
    const twice = document({
      '/a': { post: { operationId: 'run', responses: OK } },
      '/b': { post: { operationId: 'run', responses: OK } },
    });
    using folder = oddFolder();
    const taken = await importDocument(folder.write('twice.json', twice));
    const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
    const built = trialBuild(definePlatform({ name: 'books' }, taken), documents);
    expect(() => readOperationOverrides(['run'], 'books', built)).toThrow(/2 operations: POST \/a, POST \/b/);
  });

  test.each([
    ['without the digest', (text: string) => text.replace(/\n +operation_digest: .*/, ''), /but not for which/],
    ['for a DELETE', (text: string) => text.replace('POST /shelves', 'DELETE /shelves'), /a DELETE is never lowered/],
  ])('written by hand %s it does not count, and is said', async (_, change, note) => {
    const { installation } = await lowered('searchShelves');
    const file = join(installation.config().configDir, 'platforms', 'books.yaml');
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    const { catalog } = openCatalog(installation.config());
    expect(catalog.tool('books_search_shelves')?.capability).toBe('write');
    expect(catalog.tool('books_delete_shelves')?.capability).toBe('destructive');
    expect(catalog.summary.notes).toEqual([expect.stringMatching(note)]);
    catalog.close();
    installation[Symbol.dispose]();
  });
});

describe('a broken user platform does not affect other platforms', () => {
  const toolsOf = (installation: SampleInstallation) => {
    const { catalog } = openCatalog(installation.config());
    const { platforms, quarantined } = catalog.summary;
    catalog.close();
    return {
      platforms,
      quarantined: quarantined.map(
        ({ platform, operation, reason }) => `${platform} ${operation} ${reason.replace(/^.*\//, '')}`,
      ),
    };
  };

  const withoutBooks = () => {
    using plain = sampleInstallation();
    return toolsOf(plain).platforms;
  };

  test('a document that broke is set aside', async () => {
    const { installation } = await added(books());
    const folder = join(installation.config().configDir, 'platforms');
    const home = readdirSync(folder).find((name) => name.startsWith('books-')) ?? '';
    writeFileSync(join(folder, home, 'library.json'), '{');
    expect(toolsOf(installation)).toEqual({
      platforms: withoutBooks(),
      quarantined: ['books * library.json: should be an OpenAPI document, got text that does not parse'],
    });
    rmSync(join(folder, home), { recursive: true });
    expect(toolsOf(installation).platforms).toEqual(withoutBooks());
    installation[Symbol.dispose]();
  });

  test.each([
    ['a platform file that is no YAML', (text: string) => `${text}\n  : {`, /not YAML/],
    [
      'a gate of another platform',
      (text: string) => text.replace('kind: user', 'kind: toolset'),
      /`\/kind` should be user/,
    ],
    ['a field nobody knows', (text: string) => `${text}password: x\n`, /is not known here/],
  ])('%s is a warning, and the others are served', async (_, change, warning) => {
    const { installation, file } = await added(books());
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    expect(installation.config().warnings).toEqual([expect.stringMatching(warning)]);
    expect(toolsOf(installation).platforms).toEqual(withoutBooks());
    installation[Symbol.dispose]();
  });

  test('an override that matches nothing sets its platform aside', async () => {
    const { installation, file } = await added(books());
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(
        'overrides: {}',
        'overrides: {"POST /none": {capability: read, why: a reason of some length}}',
      ),
    );
    expect(toolsOf(installation).quarantined).toEqual(['books * none']);
    installation[Symbol.dispose]();
  });
});

test('adding again replaces it, removing it leaves no trace, and what was never added is said', async () => {
  const { installation, platform } = await added(books());
  const { configDir } = installation.config();
  using folder = oddFolder();
  const again = await importDocument(
    folder.write('other.json', document({ '/only': { get: { operationId: 'only', responses: OK } } })),
  );
  writeUserPlatform(configDir, platform, again);
  const { catalog } = openCatalog(installation.config());
  expect(catalog.names().filter((name) => name.startsWith('books_'))).toEqual(['books_only']);
  catalog.close();
  expect(readdirSync(join(configDir, 'platforms')).filter((name) => name.startsWith('books-'))).toHaveLength(1);
  removeUserPlatform(configDir, 'books');
  expect(readdirSync(join(configDir, 'platforms'))).toEqual([]);
  expect(existsSync(configDir)).toBe(true);
  expect(() => removeUserPlatform(configDir, 'books')).toThrow(/there is none/);
  installation[Symbol.dispose]();
});

describe('what the router would refuse to read is not written', () => {
  const secured = (scheme: string, definition: object) =>
    books({ components: { securitySchemes: { [scheme]: definition } }, security: [{ [scheme]: [] }] });
  const BASIC = { type: 'http', scheme: 'basic' };

  test('a document with a security scheme without a name leaves the platform of before as it was, to the byte', async () => {
    const { installation, platform, file } = await added(books());
    const { configDir } = installation.config();
    const picture = () =>
      readdirSync(join(configDir, 'platforms'), { recursive: true, encoding: 'utf8' })
        .sort()
        .map((name) => [name, name.includes('.') ? readFileSync(join(configDir, 'platforms', name), 'utf8') : '']);
    const before = picture();
    using folder = oddFolder();
    const taken = await importDocument(folder.write('library.json', secured('', BASIC)));
    const nameless = definePlatform({ name: 'books' }, taken);
    expect(() => writeUserPlatform(configDir, nameless, taken)).toThrow(/the router would not read .*`\/auth\/schemes/);
    expect(() => writeUserPlatform(configDir, { ...platform, base_url: 'HTTPS://books.test' }, taken)).toThrow(
      /base_url/,
    );
    expect(picture()).toEqual(before);
    expect(existsSync(file)).toBe(true);
    expect(installation.config().warnings).toEqual([]);
    installation[Symbol.dispose]();
  });

  test('of a platform that never was nothing is made', async () => {
    using folder = oddFolder();
    const taken = await importDocument(folder.write('library.json', secured('', BASIC)));
    const configDir = join(folder.path, 'config');
    expect(() => writeUserPlatform(configDir, definePlatform({ name: 'books' }, taken), taken)).toThrow(RouterError);
    expect(existsSync(configDir)).toBe(false);
  });

  test.each<[Partial<ImportOptions>, RegExp]>([
    [{ header: 'X Api Key' }, /--header should be the name of a header that can carry a key, got "X Api Key"/],
    [{ auth: 'api-key', header: '' }, /--header/],
    [{ auth: 'api-key', header: 'X-HTTP-Method-Override' }, /--header/],
    [{ auth: 'api-key-query', parameter: '' }, /--parameter should name the query parameter .*"" cannot be one/],
    [{ auth: 'api-key-cookie', parameter: 'a; b' }, /--parameter should name the cookie .*"a; b" cannot be one/],
  ])('%j is refused by its name', async (options, message) => {
    using folder = oddFolder();
    const taken = await importDocument(folder.write('library.json', books()));
    expect(() => definePlatform({ name: 'books', ...options }, taken)).toThrow(message);
  });

  test.each(['__proto__', 'constructor', 'a "b": {c}'])('a scheme called %j is written and read', async (name) => {
    const { installation, platform } = await added(
      JSON.parse(JSON.stringify(secured('@', BASIC)).replaceAll('"@"', JSON.stringify(name))),
    );
    const { known, warnings } = installation.config();
    expect(warnings).toEqual([]);
    expect(known.find(({ id }) => id === 'books')?.auth).toEqual(platform.auth);
    installation[Symbol.dispose]();
  });
});

test.each(['../credentials', '../platforms/books', 'books.yaml', '', '.'])(
  'remove takes no path for a name: %j is a platform that was never added, and nothing is removed',
  async (name) => {
    const { installation } = await added(books());
    const { configDir } = installation.config();
    const secrets = join(configDir, 'credentials.yaml');
    writeFileSync(secrets, 'books: {}\n');
    const before = readdirSync(configDir, { recursive: true });
    expect(() => removeUserPlatform(configDir, name)).toThrow(/NAME should be a platform that was added \(books\)/);
    expect(readdirSync(configDir, { recursive: true })).toEqual(before);
    installation[Symbol.dispose]();
  },
);

test('remove takes only the documents of its own platform', async () => {
  const { installation } = await added(books());
  const { configDir } = installation.config();
  const folder = join(configDir, 'platforms');
  for (const name of ['b.oks', 'bo']) writeFileSync(join(folder, `${name}.yaml`), 'id: odd');
  for (const name of ['b.oks', 'bo']) removeUserPlatform(configDir, name);
  expect(
    readdirSync(folder)
      .map((name) => name.replace(/-[0-9a-f]{8}$/, '-'))
      .sort(),
  ).toEqual(['books-', 'books.yaml']);
  installation[Symbol.dispose]();
});
