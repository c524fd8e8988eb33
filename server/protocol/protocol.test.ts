/** Output of the router when the platform reflects every secret that it ever received. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modernRequest } from '../test/support/modern-client.ts';
import { SAMPLE_SECRET } from '../test/support/sample-installation.ts';
import { serving } from '../test/support/serving.ts';

const TOKEN = 'reflected-access-token-9f8e7d';

test('a platform that reflects token and client secret in innocent fields leaks neither, in answers, refusals or the log', async () => {
  let status = 200;
  const platform = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const token = request.url?.endsWith('/as/token');
      const answer = token
        ? { access_token: TOKEN, expires_in: 7200 }
        : {
            note: `you sent ${request.headers.authorization}`,
            again: [SAMPLE_SECRET, TOKEN],
            message: `denied for ${SAMPLE_SECRET} with ${TOKEN}`,
            echo: text,
          };
      response.writeHead(token ? 200 : status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
  await using router = await serving({
    SOURCE_BASE_URL: `http://127.0.0.1:${(platform.address() as AddressInfo).port}`,
  });
  const call = async (name: string, args: Record<string, unknown>) => {
    const response = await fetch(router.url, { method: 'POST', ...modernRequest(name, args, { capabilities: {} }) });
    return response.text();
  };
  const answers: string[] = [];
  for (status of [200, 400, 403, 404, 409, 500])
    answers.push(await call('invoke_read_tool', { name: 'mgmt_get_wlan', arguments: { ssid: 'x' } }));
  writeFileSync(
    join(router.installation.root, 'config/credentials.yaml'),
    `mgmt:\n  client_secret: ${SAMPLE_SECRET}\n  oops: 1\n`,
  );
  answers.push(await call('invoke_read_tool', { name: 'mgmt_get_wlan', arguments: { ssid: 'x' } }));
  expect(answers[0]).toContain('you sent');
  const everything = answers.join('\n') + router.log.join('\n');
  expect(everything).not.toContain(TOKEN);
  expect(everything).not.toContain(SAMPLE_SECRET);
  // The cache is the one place for a token, and the client secret is in no file but its own.
  const cache = join(router.installation.root, 'cache');
  const cached = readdirSync(cache)
    .map((name) => readFileSync(join(cache, name), 'utf8'))
    .join('');
  expect(cached).toContain(TOKEN);
  expect(cached).not.toContain(SAMPLE_SECRET);
  platform.close();
});

test('a client secret of digits leaves the numbers of an answer as they are', async () => {
  const platform = createServer((request, response) => {
    const answer = request.url?.endsWith('/as/token')
      ? { access_token: TOKEN, expires_in: 7200 }
      : { ssid: 'ward-20201234', 'used-by': 1202012345 };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
  await using router = await serving({ SOURCE_BASE_URL: origin, SOURCE_CLIENT_SECRET: '20201234' });
  const read = { name: 'mgmt_get_wlan', arguments: { ssid: 'x' } };
  const response = await fetch(router.url, { method: 'POST', ...modernRequest('invoke_read_tool', read) });
  const { result } = (await response.json()) as { result: { content: { text: string }[] } };
  expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject({ ssid: 'ward-******', 'used-by': 1202012345 });
  platform.close();
});
