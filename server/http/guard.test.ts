import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type Serving, serving } from '../test/support/serving.ts';

interface RawAnswer {
  status: number;
  head: string;
  body: string;
}

/** Bytes as they are: a proper client cannot send most of these requests. */
function raw(port: number, lines: readonly string[], body = ''): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setTimeout(5_000, () => socket.destroy(new Error('no answer')));
    // A stream's answer keeps the connection open, so the end is where Content-Length says it is.
    const finish = (atEnd: boolean) => {
      const [head = '', rest = ''] = text.split('\r\n\r\n', 2);
      const length = /^content-length: (\d+)/im.exec(head)?.[1];
      const whole = text.includes('\r\n\r\n') && length !== undefined && Buffer.byteLength(rest) >= Number(length);
      if (!whole && !atEnd) return;
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head: head.toLowerCase(), body: rest });
      socket.destroy();
    };
    socket.on('data', (chunk) => {
      text += chunk;
      finish(false);
    });
    socket.on('error', reject);
    socket.on('close', () => finish(true));
    socket.write([...lines, 'Connection: close', '', body].join('\r\n'));
  });
}

const PING = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
});
const post = (router: Serving, headers: readonly string[], target = '/mcp', method = 'POST') =>
  raw(
    router.port,
    [
      `${method} ${target} HTTP/1.1`,
      ...headers,
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${PING.length}`,
    ],
    PING,
  );

describe('Host and Origin', () => {
  const hosts: [string, number][] = [
    ['127.0.0.1', 200],
    ['127.0.0.1:8010', 200],
    ['localhost:1', 200],
    ['LOCALHOST', 200],
    ['[::1]:8010', 200],
    ['evil.example', 403],
    ['evil.example:8010', 403],
    ['127.0.0.1.evil.example', 403],
    ['localhost.evil.example:8010', 403],
    ['127.0.0.2', 403],
    ['0.0.0.0', 403],
    ['localhost.', 403],
    ['localhost.:8010', 403],
    ['127.1', 403],
    ['2130706433', 403],
    ['0x7f.0.0.1', 403],
    ['[0:0:0:0:0:0:0:1]', 403],
    ['[::ffff:127.0.0.1]', 403],
    ['[::1%25lo]', 400],
    ['[::1', 400],
    ['::1', 400],
    ['localhost:80a', 400],
    ['localhost:-1', 400],
    ['loc\u0130lhost', 400],
    ['evil@localhost', 400],
    ['localhost/evil', 400],
    ['localhost:', 400],
    ['localhost:99999', 400],
    ['localhost:80:80', 400],
    ['localhost, evil.example', 400],
    ['*', 400],
    ['', 400],
  ];
  const origins: [string | undefined, number][] = [
    [undefined, 200],
    ['http://localhost:3000', 200],
    ['https://127.0.0.1', 200],
    ['http://[::1]:9', 200],
    ['null', 403],
    ['http://evil.example', 403],
    ['http://localhost.evil.example', 403],
    ['http://evil@localhost', 403],
    ['file://localhost', 403],
    ['http://localhost/path', 403],
    ['http://localhost.', 403],
    ['HTTP://LOCALHOST:3000', 200],
    ['http://localhost:3000, http://localhost:3000', 403],
    ['http://[::ffff:127.0.0.1]', 403],
    ['chrome-extension://abcdefghijklmnop', 403],
    ['http://127.0.0.1.evil.example', 403],
    ['', 403],
  ];

  test('every combination gets its status, and only the good ones reach the protocol', async () => {
    await using router = await serving();
    for (const [host, hostStatus] of hosts) {
      for (const [origin, originStatus] of origins) {
        const { status, body } = await post(router, [
          `Host: ${host}`,
          ...(origin === undefined ? [] : [`Origin: ${origin}`]),
        ]);
        const wanted = hostStatus !== 200 ? hostStatus : originStatus;
        expect(status, `Host ${host}, Origin ${origin}`).toBe(wanted);
        if (wanted === 200) expect(body).toContain('protocolVersion');
      }
    }
  });

  test('a name with an underscore, as containers have, is let in where the lists name it', async () => {
    const list = 'mcp_router:*';
    await using router = await serving({ MCP_ALLOWED_HOSTS: list, MCP_ALLOWED_ORIGINS: list });
    const statusOf = async (host: string, origin: string) =>
      (await post(router, [`Host: ${host}`, `Origin: http://${origin}`])).status;
    expect(await statusOf('mcp_router:8010', 'mcp_router:3000')).toBe(200);
    expect(await statusOf('other_router:8010', 'mcp_router:3000')).toBe(403);
    expect(await statusOf('mcp_router:8010', 'other_router')).toBe(403);
  });

  test('a name that no URL can hold is refused, also where names are not checked', async () => {
    const off = { MCP_DNS_REBINDING_PROTECTION: '0', SVC_MCP_ALLOW_INSECURE_HTTP_BINDING: '1' };
    await using router = await serving(off);
    for (const host of ['1.2.3.4.5', '[:::]', '[1.2.3.4]', '256.1.1.1', 'localhost:65536'])
      expect((await post(router, [`Host: ${host}`])).status, host).toBe(400);
    expect((await post(router, ['Host: any.example:65535'])).status).toBe(200);
  });

  test('two Host headers, none, an absolute target and one with a fragment are refused', async () => {
    await using router = await serving();
    expect((await post(router, ['hOsT: localhost', 'HOST: localhost'])).status).toBe(400);
    expect((await post(router, ['Host: localhost'], 'mcp')).status).toBe(400);
    expect((await post(router, ['Host: localhost'], '*')).status).toBe(400);
    expect((await post(router, ['Host: localhost'], 'http://localhost/mcp')).status).toBe(400);
    expect((await post(router, ['Host: localhost', 'Host: evil.example'])).status).toBe(400);
    expect((await post(router, ['Host: localhost', 'Host: localhost'])).status).toBe(400);
    expect((await post(router, [])).status).toBe(400);
    expect((await post(router, ['Host: localhost'], 'http://evil.example/mcp')).status).toBe(400);
    expect((await post(router, ['Host: localhost'], '/mcp#x')).status).toBe(400);
    expect((await post(router, ['Host: localhost'], '/mcp?a#x')).status).toBe(400);
  });

  test('the health routes answer any Host and Origin, but not two Hosts', async () => {
    await using router = await serving();
    for (const path of ['/livez', '/healthz', '/readyz', '/livez?x=1']) {
      expect(
        (await raw(router.port, [`GET ${path} HTTP/1.1`, 'Host: balancer.example', 'Origin: http://evil.example']))
          .status,
        path,
      ).toBe(200);
      expect((await raw(router.port, [`GET ${path} HTTP/1.1`, 'Host: a', 'Host: b'])).status, path).toBe(400);
    }
    expect((await raw(router.port, ['GET /readyz/../mcp HTTP/1.1', 'Host: evil.example'])).status).toBe(403);
  });

  test('forwarding headers of a proxy do not change the host', async () => {
    await using router = await serving();
    for (const name of ['X-Forwarded-Host', 'Forwarded', 'X-Original-Host', 'X-Host']) {
      expect((await post(router, ['Host: evil.example', `${name}: localhost`])).status, name).toBe(403);
      expect((await post(router, ['Host: localhost', `${name}: evil.example`])).status, name).toBe(200);
    }
  });

  test('with both switches off every name is accepted', async () => {
    await using router = await serving({
      MCP_DNS_REBINDING_PROTECTION: '0',
      SVC_MCP_ALLOW_INSECURE_HTTP_BINDING: '1',
    });
    expect((await post(router, ['Host: evil.example', 'Origin: http://evil.example'])).status).toBe(200);
    expect((await post(router, ['Host: a', 'Host: b'])).status).toBe(400);
  });

  test('the operator’s own lists take the place of the loopback ones', async () => {
    await using router = await serving({
      MCP_ALLOWED_HOSTS: 'router.example:*,bare.example',
      MCP_ALLOWED_ORIGINS: 'https://ops.example',
    });
    expect((await post(router, ['Host: router.example:443'])).status).toBe(200);
    expect((await post(router, ['Host: bare.example'])).status).toBe(200);
    expect((await post(router, ['Host: bare.example:1'])).status).toBe(403);
    expect((await post(router, ['Host: localhost'])).status).toBe(403);
    expect((await post(router, ['Host: router.example:1', 'Origin: https://ops.example'])).status).toBe(200);
    expect((await post(router, ['Host: router.example:1', 'Origin: http://ops.example'])).status).toBe(403);
  });
});

describe('the bearer token', () => {
  const TOKEN = 'c2FtcGxlLWJlYXJlci10b2tlbg';
  test('every route but the health routes needs it, and a missing one looks like a wrong one', async () => {
    await using router = await serving({ MCP_HTTP_BEARER_TOKEN: TOKEN });
    const bodies = new Set<string>();
    for (const headers of [
      [],
      ['Authorization: Bearer wrong'],
      [`Authorization: Basic ${TOKEN}`],
      [`Authorization: Bearer ${TOKEN}x`],
      ['Authorization: Bearer '],
      [`Authorization: ${TOKEN}`],
      [`Authorization: Bearer ${TOKEN}`, 'Authorization: Bearer wrong'],
      ['Authorization: Bearer wrong', `Authorization: Bearer ${TOKEN}`],
      [`Authorization: Bearer ${TOKEN}, Bearer ${TOKEN}`],
      [`Authorization: Bearer ${TOKEN.slice(0, -1)}`],
      [`Authorization: Bearer ${TOKEN.toUpperCase()}`],
      [`Authorization: Bearer ${'x'.repeat(8_000)}`],
      ['Authorization: Bearer t\u00f6k\u00ebn'],
      [`X-Authorization: Bearer ${TOKEN}`],
    ]) {
      const { status, head, body } = await post(router, ['Host: localhost', ...headers]);
      expect(status, headers.join()).toBe(401);
      expect(head).toContain('www-authenticate: bearer realm="mcp"');
      bodies.add(body);
    }
    expect(bodies.size).toBe(1);
    for (const path of ['/metrics', '/nothing', '/mcp/', '//mcp'])
      expect((await raw(router.port, [`GET ${path} HTTP/1.1`, 'Host: localhost'])).status, path).toBe(401);
    for (const path of ['/livez', '/healthz', '/readyz'])
      expect((await raw(router.port, [`GET ${path} HTTP/1.1`, 'Host: localhost'])).status, path).toBe(200);
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect((await post(router, ['Host: localhost', `Authorization: ${scheme} ${TOKEN}`])).status).toBe(200);
  });

  test('it is asked for before the body is looked at', async () => {
    await using router = await serving({ MCP_HTTP_BEARER_TOKEN: TOKEN });
    const { status } = await raw(
      router.port,
      ['POST /mcp HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', 'Content-Length: 900000'],
      '{',
    );
    expect(status).toBe(401);
  });

  test('neither the log nor an answer ever contains it', async () => {
    await using router = await serving({ MCP_HTTP_BEARER_TOKEN: TOKEN });
    const { body } = await post(router, ['Host: localhost', `Authorization: Bearer ${TOKEN}`]);
    expect(body + router.log.join('')).not.toContain(TOKEN);
  });
});

describe('methods, types and sizes', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
  const ROUTES: [path: string, allow: string][] = [
    ['/livez', 'GET'],
    ['/healthz', 'GET'],
    ['/readyz', 'GET'],
    ['/metrics', 'GET'],
    ['/mcp', 'GET, POST, DELETE'],
  ];
  test.each(ROUTES)('%s takes %s, and any other method is 405 that says so', async (path, allow) => {
    await using router = await serving({ SVC_MCP_METRICS_HTTP: '1' });
    for (const method of METHODS) {
      const { status, head } = await raw(router.port, [`${method} ${path}?x=1 HTTP/1.1`, 'Host: localhost']);
      if (allow.split(', ').includes(method)) expect(status, method).not.toBe(405);
      else {
        expect(status, method).toBe(405);
        expect(head, method).toContain(`allow: ${allow.toLowerCase()}`);
      }
    }
  });

  test('an unknown route is 404 for every method', async () => {
    await using router = await serving();
    for (const method of METHODS)
      expect((await raw(router.port, [`${method} /elsewhere HTTP/1.1`, 'Host: localhost'])).status, method).toBe(404);
    expect((await raw(router.port, ['POST /metrics HTTP/1.1', 'Host: localhost'])).status).toBe(404);
  });

  test.each([
    ['nothing', undefined],
    ['JSON only', 'application/json'],
    ['a stream only', 'text/event-stream'],
    ['anything', '*/*'],
    ['HTML', 'text/html'],
    ['JSON not at all', 'application/json;q=0, text/event-stream'],
    ['streams not at all', 'application/json, text/event-stream; q=0.0'],
  ])('a client that accepts %s is told to accept both', async (_, accept) => {
    await using router = await serving();
    const { status, body } = await raw(
      router.port,
      [
        'POST /mcp HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        ...(accept === undefined ? [] : [`Accept: ${accept}`]),
        `Content-Length: ${PING.length}`,
      ],
      PING,
    );
    expect(status).toBe(406);
    expect(JSON.parse(body)).toEqual({
      jsonrpc: '2.0',
      error: {
        code: -32600,
        message: 'Not Acceptable: Client must accept both application/json and text/event-stream',
      },
      id: null,
    });
  });

  test('a body that is not UTF-8 is a parse error, whether it has a length or comes in chunks', async () => {
    await using router = await serving();
    const latin = Buffer.from(PING.replace('"t"', '"caf\u00e9"'), 'latin1');
    const chunked = () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(latin);
          controller.close();
        },
      });
    for (const body of [latin, chunked()]) {
      const answer = await fetch(router.url, {
        method: 'POST',
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json; charset=iso-8859-1',
        },
        body,
        duplex: 'half',
      });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        error: { code: -32700, message: expect.stringContaining('should be UTF-8') },
      });
    }
  });

  test('text is not JSON, broken JSON is a parse error, and a body over 1 MiB is refused', async () => {
    await using router = await serving();
    const send = (type: string, body: string) =>
      fetch(router.url, {
        method: 'POST',
        headers: { accept: 'application/json, text/event-stream', 'content-type': type },
        body,
      });
    expect((await send('text/plain', PING)).status).toBe(415);
    const broken = await send('application/json', '{"jsonrpc":');
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ error: { code: -32700 } });
    expect((await send('application/json', JSON.stringify({ x: 'y'.repeat(1 << 20) }))).status).toBe(413);
  });
});

describe('the request id', () => {
  const TOKEN = 'c2FtcGxlLWJlYXJlci10b2tlbg';
  test('is on every answer, whatever its status, and in the log', async () => {
    await using router = await serving({ MCP_HTTP_BEARER_TOKEN: TOKEN });
    const bearer = `Authorization: Bearer ${TOKEN}`;
    const answers = [
      await post(router, ['Host: localhost', bearer]),
      await post(router, ['Host: localhost']),
      await post(router, ['Host: evil.example']),
      await post(router, ['Host: a', 'Host: b']),
      await post(router, ['Host: localhost', bearer], '/mcp', 'PUT'),
      await post(router, ['Host: localhost', bearer], '/nowhere'),
      await raw(router.port, ['GET /readyz HTTP/1.1', 'Host: localhost']),
      await raw(router.port, ['POST /mcp HTTP/1.1', 'Host: localhost', bearer, 'Content-Length: 1'], '{'),
      await raw(router.port, ['NOT HTTP']),
      await raw(router.port, ['GET /%zz HTTP/1.1', 'Host: localhost']),
      await raw(router.port, ['POST /mcp HTTP/1.1', 'Host: localhost', 'Expect: more', 'Content-Length: 2'], '{}'),
      await raw(router.port, ['GET /livez HTTP/1.1', 'Host: localhost', `X-Long: ${'x'.repeat(20_000)}`]),
    ];
    const ids = answers.map(({ head }) => /^x-request-id: (\S+)/m.exec(head)?.[1]);
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 403, 400, 405, 404, 200, 415, 400, 400, 417, 431]);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(ids.length);
    const log = router.log.join('');
    for (const id of ids) expect(log).toContain(`"request":"${id}"`);
    expect(log).not.toContain(TOKEN);
  });

  test('of a proxy in front is taken over when it is fit for a log', async () => {
    await using router = await serving();
    const idOf = async (given: string) =>
      /^x-request-id: (.*)$/m
        .exec((await post(router, ['Host: localhost', `X-Request-Id: ${given}`])).head)?.[1]
        ?.trim();
    expect(await idOf('edge-0123456789.a')).toBe('edge-0123456789.a');
    for (const given of ['short', 'x'.repeat(65), 'has spaces in it', '"quoted-text"', '{"level":"error"}'])
      expect(await idOf(given)).not.toBe(given);
  });
});
