import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { EmbeddedStore } from '../knowledge/embedded-store.ts';
import { openCatalog } from '../open-catalog.ts';
import { startInstalled } from '../test/support/installed-commands.ts';
import { document, OK, oddFolder } from '../test/support/malformed-documents.ts';
import type { Ended } from '../test/support/running-process.ts';
import { type SampleInstallation, sampleInstallation } from '../test/support/sample-installation.ts';
import { LOCAL_TOOLS } from '../tools/local/registry.ts';
import { validateCatalog } from './validate-catalog.ts';

let installation: SampleInstallation;
beforeAll(() => {
  installation = sampleInstallation();
});
afterAll(() => installation?.[Symbol.dispose]());

const start = (command: string, args: readonly string[], env: Record<string, string> = {}) =>
  startInstalled(installation.root, command, args, env);

const run = (command: string, args: readonly string[] = [], env: Record<string, string> = {}): Promise<Ended> =>
  start(command, args, env).ended;

describe('svc-mcp-catalog', () => {
  test('build, then validate, then a floor it does not reach', async () => {
    const built = await run('catalog', ['build', '--products', 'all', '--complete-catalog', '--json']);
    expect(built.code).toBe(0);
    const summary = JSON.parse(built.stdout.trim().split('\n').at(-1) ?? '') as Record<string, number>;
    expect(summary['tools']).toBeGreaterThanOrEqual(200);
    expect(summary).toMatchObject({
      ok: true,
      quarantined: 0,
      notes: 0,
      platform_tools: (summary['tools'] ?? 0) - LOCAL_TOOLS.length,
    });
    const valid = await run('catalog', ['validate', '--strict-tool-index', '--json']);
    expect(JSON.parse(valid.stdout)).toMatchObject({
      ok: true,
      catalog: summary['catalog'],
      platform_tools: summary['platform_tools'],
      tools: summary['tools'],
      endpoints: expect.any(Number),
      quarantined: 0,
    });
    const unspoken = await run('catalog', ['validate', '--strict-rag', '--json']);
    expect(unspoken.code).toBe(3);
    expect(JSON.parse(unspoken.stdout)).toMatchObject({ message: expect.stringContaining('no document corpus') });
    const small = await run('catalog', ['validate', '--min-tools', '999999', '--json']);
    expect(small.code).toBe(3);
    expect(JSON.parse(small.stdout)).toMatchObject({ ok: false, code: 'catalog_too_small' });
    expect((await run('catalog', ['validate', '--min-tools', 'lots'])).code).toBe(2);
  });

  test('the files on disk are checked, not the build: a lost spec index and a foreign product', async () => {
    const env = { SVC_MCP_CATALOG_DIR: join(installation.root, 'lost') };
    const built = JSON.parse((await run('catalog', ['build', '--json'], env)).stdout) as { catalog: string };
    rmSync(join(built.catalog, 'spec-index.sqlite'));
    const loose = await run('catalog', ['validate', '--json'], env);
    expect(JSON.parse(loose.stdout)).toMatchObject({ ok: true, endpoints: null, schemas: null, fields: null });
    const strict = await run('catalog', ['validate', '--strict-tool-index', '--min-tools', '1', '--json'], env);
    expect(strict.code).toBe(3);
    expect(JSON.parse(strict.stdout)).toMatchObject({
      code: 'catalog_invalid',
      message: expect.stringContaining('spec index'),
    });
    const again = JSON.parse((await run('catalog', ['build', '--json'], env)).stdout) as object;
    expect(again, 'a build makes whole what is not').toMatchObject({ built: true, catalog: built.catalog });
    const foreign = await run('catalog', ['build', '--products', 'nac,toaster'], env);
    expect(foreign.code).toBe(2);
    expect(foreign.stderr).toContain('--products should be a list of all, nac, cloudwlan');
  });

  test('--complete-catalog holds every tool of every product, whatever is served', async () => {
    const env = { SVC_MCP_CATALOG_DIR: join(installation.root, 'whole'), SVC_MCP_PRODUCTS: '' };
    const build = async (...words: string[]) =>
      JSON.parse((await run('catalog', ['build', ...words, '--json'], env)).stdout) as {
        products: unknown;
        complete: boolean;
        platforms: Record<string, number>;
        capabilities: Record<string, number>;
        platform_tools: number;
      };
    const everything = await build('--products', 'all', '--complete-catalog');
    expect(await build('--complete-catalog')).toMatchObject({
      products: 'all',
      complete: true,
      platforms: everything.platforms,
      capabilities: everything.capabilities,
      platform_tools: everything.platform_tools,
    });
    const plain = await build();
    expect(plain).toMatchObject({ products: [], complete: false });
    expect(plain.platform_tools).toBeLessThan(6_713);
    expect(everything.platform_tools).toBeGreaterThanOrEqual(6_713);
    const strict = ['validate', '--strict-tool-index', '--json'];
    const floor = await run('catalog', strict, env);
    expect(floor.code).toBe(3);
    expect(JSON.parse(floor.stdout)).toMatchObject({
      code: 'catalog_too_small',
      message: expect.stringContaining(`should have at least 6713 platform tools, got ${plain.platform_tools}`),
    });
    expect((await run('catalog', [...strict, '--min-tools', '3000'], env)).code).toBe(0);
    expect(await build('--products', 'nac', '--complete-catalog')).toMatchObject({ products: ['nac'], complete: true });
  });

  describe('validated in this process', () => {
    const check = (complete: boolean, strictToolIndex: boolean, corpus?: string, minTools?: number) => {
      const { catalog } = openCatalog(installation.config(), { products: 'all', complete });
      try {
        return validateCatalog(catalog, { strictToolIndex, corpus, own: new Set(), minTools });
      } finally {
        catalog.close();
      }
    };
    const sound = { endpoints: expect.any(Number) };

    test('strictly checked, a catalog below the floor of a release needs --min-tools', () => {
      for (const complete of [true, false]) {
        expect(() => check(complete, true)).toThrow(/should have at least 6713 platform tools, got \d+$/);
        expect(check(complete, false)).toMatchObject(sound);
        expect(check(complete, true, undefined, 10)).toMatchObject(sound);
      }
    });

    test('of a release the tools of the router count too: 6,713 platform tools alone are not enough', () => {
      const { catalog } = openCatalog(installation.config(), { products: 'all', complete: true });
      const counted =
        (platformTools: number, tools: number, ownTools = 0) =>
        () =>
          validateCatalog(
            Object.create(catalog, {
              summary: { value: { ...catalog.summary, platformTools, tools, platforms: { library: ownTools } } },
            }) as typeof catalog,
            { strictToolIndex: true, corpus: undefined, own: new Set(['library']), minTools: undefined },
          );
      expect(counted(6_712, 6_740)).toThrow('should have at least 6713 platform tools, got 6712');
      expect(counted(6_713, 6_731)).toThrow('should have at least 6732 tools, got 6731');
      expect(counted(6_713, 6_732)).not.toThrow('should have at least');
      expect(counted(7_000, 7_019, 300), 'own documents do not count').toThrow('6713 platform tools, got 6700');
      catalog.close();
    });

    test('what is set aside of the own documents of the operator is theirs; of a shipped platform it fails the check', () => {
      const { catalog } = openCatalog(installation.config(), { products: 'all', complete: true });
      const aside = {
        platform: 'library',
        document: 'library',
        operation: 'TRACE /books',
        reason: 'TRACE is not sent',
      };
      Object.defineProperty(catalog, 'summary', { value: { ...catalog.summary, quarantined: [aside] } });
      const checked = (...own: string[]) =>
        validateCatalog(catalog, { strictToolIndex: true, corpus: undefined, own: new Set(own), minTools: 1 });
      expect(checked('library')).toMatchObject(sound);
      expect(() => checked('books')).toThrow(
        '1 operations of shipped platforms are set aside, the first is library TRACE /books: TRACE is not sent',
      );
      catalog.close();
    });

    test('a corpus that is asked for must be there, readable and not empty', () => {
      const file = join(installation.root, 'spoken', 'corpus.sqlite');
      const problem = () => check(false, false, file);
      expect(problem).toThrow('there is no document corpus');
      mkdirSync(dirname(file));
      writeFileSync(file, 'this is no corpus, and long enough to be looked at as one of them');
      expect(problem).toThrow('the document corpus cannot be read');
      rmSync(file);
      const metadata = { path: 'a.md', title: 'A', source: 's', doc_type: 's', platform: '', version: '', date: '' };
      const passages = [{ section: 'top', heading: '', text: 'Order beans on Mondays.' }];
      new EmbeddedStore(file)[Symbol.dispose]();
      expect(problem).toThrow('the document corpus holds no passage');
      const store = new EmbeddedStore(file);
      store.put('default', 'hash', { metadata: { ...metadata, licence: '', superseded_by: '' }, passages });
      store[Symbol.dispose]();
      expect(problem()).toMatchObject(sound);
    });
  });

  test('nothing built is exit 3, an unknown command exit 2', async () => {
    expect((await run('catalog', ['validate'], { SVC_MCP_CATALOG_DIR: join(installation.root, 'empty') })).code).toBe(
      3,
    );
    expect((await run('catalog', ['destroy'])).code).toBe(2);
  });
});

describe('svc-mcp-catalog add and remove', () => {
  const OWN = () => ({ SVC_MCP_CONFIG_DIR: join(installation.root, 'own'), SVC_MCP_CATALOG_DIR: '' });
  const paths = {
    '/books': { get: { operationId: 'listBooks', summary: 'List books' }, post: { operationId: 'addBook' } },
    '/odd': { get: { operationId: 'oddOne', requestBody: { required: true, content: {} } } },
  };

  test('a document becomes a platform, is found by the next process, and goes again', async () => {
    using folder = oddFolder();
    const file = folder.write('library.yaml', stringify(document(paths)));
    const words = ['add', file, '--platform', 'books', '--accept-partial'];
    const added = await run('catalog', [...words, '--json'], OWN());
    expect(added.code, added.stderr).toBe(0);
    expect(JSON.parse(added.stdout)).toMatchObject({
      ok: true,
      partial: [{ document: 'library', set_aside: 1, operations: 3 }],
      tools: 2,
      base_url: null,
      stated_base_url: 'http://odd.test/api',
      auth: 'none',
      gate: 'SVC_MCP_BOOKS_WRITES',
      quarantined: [{ operation: 'GET /odd', pointer: '/paths/~1odd/get' }],
    });
    expect(added.stderr).toContain('writes are off; SVC_MCP_BOOKS_WRITES=1 opens them');
    const found = await run('find', ['list books', '--json', '--top', '1'], OWN());
    expect(JSON.parse(found.stdout)).toMatchObject({ hits: [{ name: 'books_list_books' }] });
    const secrets = join(OWN().SVC_MCP_CONFIG_DIR, 'credentials.yaml');
    writeFileSync(secrets, 'books: {}');
    expect(await run('catalog', ['remove', '../credentials'], OWN())).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('NAME should be a platform that was added (books)'),
    });
    expect(existsSync(secrets)).toBe(true);
    expect((await run('catalog', ['remove', 'books'], OWN())).stdout).toBe('books is removed\n');
    const gone = await run('find', ['books_list_books', '--json', '--top', '1'], OWN());
    expect(gone.stdout).not.toContain('"name":"books_list_books"');
  });

  test.each([
    [['--platform', 'mgmt'], 2, 'a name of your own, got "mgmt", which is one of'],
    [['--platform', 'find'], 2, 'called like find_'],
    [['--platform', 'books', '--read-operation', 'addBok'], 2, 'names nothing in the documents'],
    [['--platform', 'My-Books'], 2, 'small letters and digits'],
    [['--platform', 'books', '--base-url', 'ftp://x'], 2, '--base-url should be an http or https URL'],
    [['--platform', 'books', '--base-url', 'https:/x'], 2, '--base-url should be an http or https URL'],
    [['--platform', 'books', '--token-url', 'https://a b'], 2, '--token-url should be an http or https URL'],
    [['--platform', 'books', '--header', 'X Api Key'], 2, '--header should be the name of a header'],
    [['--platform', 'books', '--auth', 'api-key-query', '--parameter', ''], 2, '--parameter should name'],
    [['--platform', 'books', '--auth', 'magic'], 2, 'Allowed choices are'],
    [['--platform', 'books', '--auth', 'oauth2-client-credentials'], 2, '--token-url should say where'],
    [[], 2, 'required option'],
  ])('add with %j is exit %i and leaves nothing behind', async (words, code, message) => {
    using folder = oddFolder();
    const file = folder.write('library.json', document(paths));
    const env = { ...OWN(), SVC_MCP_CONFIG_DIR: join(folder.path, 'own') };
    const ended = await run('catalog', ['add', file, ...words], env);
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code, stderr: expect.stringContaining(message) });
    expect(existsSync(env.SVC_MCP_CONFIG_DIR)).toBe(false);
  });

  test('a refused add leaves files and catalog of before as they were, to the byte', async () => {
    using folder = oddFolder();
    const env = { ...OWN(), SVC_MCP_CONFIG_DIR: join(folder.path, 'own') };
    const good = folder.write('good.json', document(paths));
    const first = await run('catalog', ['add', good, '--platform', 'books', '--accept-partial'], env);
    expect(first.code, first.stderr).toBe(0);
    const picture = () =>
      readdirSync(env.SVC_MCP_CONFIG_DIR, { recursive: true, encoding: 'utf8' })
        .sort()
        .map((name) => {
          const path = join(env.SVC_MCP_CONFIG_DIR, name);
          return [name, statSync(path).isFile() ? readFileSync(path).toString('base64') : 'folder'];
        });
    const before = picture();
    const none = folder.write(
      'none.json',
      document({ '/odd': { get: { requestBody: { required: true, content: {} } } } }),
    );
    const refused: [string, string[], string][] = [
      [none, [], 'none#/paths/~1odd/get GET /odd: '],
      [good, [], '1 of 3 operations of good (33 %) are set aside, which is more than 5 %'],
      [good, ['--read-operation', 'addBok'], 'nearest: addBook'],
      [good, ['--read-operation', 'GET /odd'], 'an operation that is set aside'],
      [folder.write('broken.json', '{"openapi": '), [], 'the text ends too early'],
      [folder.write('hidden.json', document({ '/a\u200b': { get: {} } })), [], 'no invisible characters'],
    ];
    for (const [file, words, message] of refused) {
      const ended = await run('catalog', ['add', file, '--platform', 'books', ...words], env);
      expect(ended.code, ended.stderr).toBeGreaterThan(0);
      expect(ended.stderr).toContain(message);
      expect(picture()).toEqual(before);
    }
    const found = await run('find', ['books_list_books', '--json', '--top', '1'], env);
    expect(JSON.parse(found.stdout)).toMatchObject({ hits: [{ name: 'books_list_books' }] });
  });

  test('an operation is lowered by the operator alone, who is told of it, and of it going, with every add', async () => {
    using folder = oddFolder();
    const env = { ...OWN(), SVC_MCP_CONFIG_DIR: join(folder.path, 'own') };
    const file = folder.write('good.json', document(paths));
    const words = ['add', file, '--platform', 'books', '--accept-partial'];
    const lowered = await run('catalog', [...words, '--read-operation', 'addBook'], env);
    expect(lowered.stdout).toContain('POST /books is a read by your word, as long as the operation stays as it is');
    const explained = await run('find', ['books_add_book', '--explain', '--top', '1'], env);
    expect(explained.stdout).toContain(
      'read by operator (the operator says that it only reads (--read-operation addBook))',
    );
    const again = await run('catalog', words, env);
    expect(again.stdout).toContain('POST /books was lowered before and is not any more');
    expect((await run('find', ['books_add_book', '--explain', '--top', '1'], env)).stdout).toContain(
      'write by method (POST)',
    );
  });

  test('operations of one address are lowered and compared each by itself', async () => {
    using folder = oddFolder();
    const env = { ...OWN(), SVC_MCP_CONFIG_DIR: join(folder.path, 'own') };
    const post = (operationId: string) => ({ post: { operationId, responses: OK } });
    const users = {
      '/users': post('createUser'),
      '/users?action=search': post('searchUsers'),
      '/users#find': post('find'),
    };
    const words = ['add', folder.write('users.json', document(users)), '--platform', 'users'];
    const lowered = await run('catalog', [...words, '--read-operation', 'searchUsers'], env);
    expect([lowered.code, lowered.stdout]).toEqual([
      0,
      expect.stringContaining('POST /users#action=search is a read by'),
    ]);
    const again = await run('catalog', [...words, '--read-operation', 'searchUsers', '--json'], env);
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([
      0,
      { tools: 3, quarantined: [], changes: { classes: [], renamed: [], schemas: [] } },
    ]);
    const refused = await run('catalog', [...words, '--read-operation', 'find'], env);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(
        '--read-operation would set POST /users#find aside: it is the same address as POST /users',
      ),
    ]);
    expect((await run('find', ['users_search_users', '--explain', '--top', '1'], env)).stdout).toContain(
      'read by operator',
    );
  });

  test('a document with a server and a credential is taken, and says what the operator has to name', async () => {
    using folder = oddFolder();
    const env = { ...OWN(), SVC_MCP_CONFIG_DIR: join(folder.path, 'own') };
    const components = { securitySchemes: { own: { type: 'http', scheme: 'bearer' } } };
    const file = folder.write('secured.json', document(paths, { components }));
    const words = ['add', file, '--platform', 'books', '--accept-partial'];
    const added = await run('catalog', words, env);
    expect(added.code).toBe(0);
    expect(added.stdout).toContain(
      'calls go nowhere yet: the documents state http://odd.test/api, but only you decide',
    );
    expect(added.stdout).toMatch(/SVC_BOOKS_BASE_URL, or add again with --base-url/);
    const named = await run('catalog', [...words, '--base-url', 'http://odd.test/api'], env);
    expect(named.stdout).toContain('calls go to http://odd.test/api\n');
    const shouted = await run(
      'catalog',
      [...words, '--base-url', 'HTTP://odd.test/api', '--token-url', 'HTTPS://odd.test/t'],
      env,
    );
    expect([shouted.code, shouted.stdout]).toEqual([0, expect.stringContaining('calls go to http://odd.test/api\n')]);
    expect(shouted.stdout).toContain('books: 2 tools from 1 document');
  });

  test('more than one operation in twenty set aside is refused with a remedy, and a warning where it is accepted', async () => {
    using folder = oddFolder();
    const env = { ...OWN(), SVC_MCP_CONFIG_DIR: join(folder.path, 'own') };
    const file = folder.write('part.json', document(paths));
    const words = ['add', file, '--platform', 'part'];
    const refused = await run('catalog', [...words, '--json'], env);
    expect(refused.code).toBe(3);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      ok: false,
      code: 'document_invalid',
      remedy: expect.stringContaining('--accept-partial'),
    });
    expect(refused.stderr).toContain('set aside: part#/paths/~1odd/get GET /odd: its body cannot be sent with GET');
    expect(existsSync(env.SVC_MCP_CONFIG_DIR)).toBe(false);
    const accepted = await run('catalog', [...words, '--accept-partial'], env);
    expect(accepted.code).toBe(0);
    expect(accepted.stdout.trimEnd().split('\n').at(-1)).toBe(
      'warning: 1 of 3 operations of part (33 %) are set aside: no agent can call them',
    );
    const sound = folder.write('sound.json', document({ '/books': paths['/books'] }));
    const whole = await run('catalog', ['add', sound, '--platform', 'part'], env);
    expect([whole.code, whole.stdout]).toEqual([0, expect.not.stringContaining('warning: ')]);
  });

  test('a token URL on another origin is a note that names both remedies, and the document is added', async () => {
    using folder = oddFolder();
    const env = { ...OWN(), SVC_MCP_CONFIG_DIR: join(folder.path, 'own') };
    const flows = { clientCredentials: { tokenUrl: 'https://login.elsewhere.test/token', scopes: {} } };
    const components = { securitySchemes: { own: { type: 'oauth2', flows } } };
    const file = folder.write('secured.json', document({ '/books': paths['/books'] }, { components }));
    const words = ['add', file, '--platform', 'books', '--base-url', 'http://odd.test/api'];
    const { code, stdout, stderr } = await run('catalog', words, env);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(
      /note: the document gives tokens at "https:\/\/login\.elsewhere\.test\/token", .*no credentials go there yet: .*--token-url .*--auth bearer-token\n/,
    );
    for (const more of [
      ['--token-url', 'https://login.elsewhere.test/token'],
      ['--auth', 'bearer-token'],
    ]) {
      const named = await run('catalog', [...words, ...more], env);
      expect([named.code, named.stdout]).toEqual([0, expect.not.stringContaining('no credentials go there')]);
    }
  });

  test('many notes are ten lines at most, each kind with its count, and all with --verbose', async () => {
    using folder = oddFolder();
    const env = { ...OWN(), SVC_MCP_CONFIG_DIR: join(folder.path, 'own') };
    const operation = (i: number) => ({
      get: {
        operationId: `listShelf${i}`,
        parameters: [{ name: 'q', in: 'query', schema: { type: i % 2 ? 'any' : 'string', pattern: `(?i)${i}` } }],
      },
    });
    const shelves = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`/shelf-${i}`, operation(i)]));
    const words = ['add', folder.write('many.json', document(shelves)), '--platform', 'many'];
    const warnings = (stdout: string) => stdout.split('\n').filter((line) => line.startsWith('  warning: '));
    const short = warnings((await run('catalog', words, env)).stdout);
    expect(short.map((line) => line.replace(/^.*schema: /, ''))).toEqual([
      expect.stringMatching(/^pattern "\(\?i\)0" is no regular .* \(30 of this kind, this is the first\)$/),
      expect.stringMatching(/^type "any" is no type of JSON.* \(15 of this kind, this is the first\)$/),
    ]);
    expect(warnings((await run('catalog', [...words, '--verbose'], env)).stdout)).toHaveLength(45);
  });

  test('a newer version says what changes, and a class that changes needs the operator', async () => {
    using folder = oddFolder();
    const env = { ...OWN(), SVC_MCP_CONFIG_DIR: join(folder.path, 'own') };
    const operation = (operationId: string) => ({ operationId, responses: { 200: { description: 'done' } } });
    const add = (version: Record<string, object>, ...more: string[]) =>
      run('catalog', ['add', folder.write('lamps.json', document(version)), '--platform', 'lamps', ...more], env);
    const first = await add({ '/lamps': { get: operation('listLamps') }, '/lamps/glow': { get: operation('glow') } });
    expect([first.code, first.stdout]).toEqual([0, expect.not.stringContaining('operations new')]);
    const second = {
      '/lamps': { get: operation('listLamps'), post: operation('addLamp') },
      '/lamps/glow': { get: operation('deleteLamps') },
    };
    const refused = await add(second);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('there is no terminal to ask')]);
    expect(refused.stderr).toContain('the class of GET /lamps/glow rose from read to destructive');
    const again = await add({ '/lamps': second['/lamps'], '/lamps/glow': { get: operation('glow') } });
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('1 operation new: POST /lamps')]);
    const taken = await add(second, '--accept-classes');
    expect(taken.code).toBe(0);
    expect(taken.stdout).toContain('rose from read to destructive');
    expect(taken.stdout).toContain('lamps_glow → lamps_delete_lamps');
  });

  test('a document without one usable operation is refused with the first reason, and is not kept', async () => {
    using folder = oddFolder();
    const file = folder.write(
      'odd.json',
      document({ '/odd': { get: { requestBody: { required: true, content: {} } } } }),
    );
    const ended = await run('catalog', ['add', file, '--platform', 'odd', '--json'], OWN());
    expect(ended.code).toBe(3);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      code: 'document_invalid',
      message: expect.stringContaining(
        'no operation can be used; odd#/paths/~1odd/get GET /odd: its body cannot be sent with GET',
      ),
    });
    expect((await run('catalog', ['remove', 'odd'], OWN())).code).toBe(2);
  });
});
