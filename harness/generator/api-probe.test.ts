import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import type { ApiDocument, ApiOperation } from './api-document.ts';
import { callOver } from './api-probe.ts';

it('ends the wait for an API that takes a call and never answers it', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((listening) => silent.once('listening', listening));
  try {
    const operation = { method: 'POST', path: '/slots', security: [] } as unknown as ApiOperation;
    const { port } = silent.address() as AddressInfo;
    const call = callOver(`http://127.0.0.1:${port}`, { securitySchemes: new Map() } as unknown as ApiDocument, 0.2);
    await expect(call(operation, { body: {} })).rejects.toMatchObject({
      code: 'CONTROL_FAILED',
      message: expect.stringContaining('POST /slots should be answered within 0.2 s'),
    });
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});

it.each(['Token', 'bearer'])('sends a token behind the word of the scheme %s', async (scheme) => {
  const echo = createServer(({ headers }, response) => response.end(JSON.stringify(headers.authorization)));
  echo.listen(0, '127.0.0.1');
  await new Promise((listening) => echo.once('listening', listening));
  try {
    const operation = { method: 'GET', path: '/slots', security: [['key']] } as unknown as ApiOperation;
    const document = { securitySchemes: new Map([['key', { type: 'http', scheme }]]) } as unknown as ApiDocument;
    const { port } = echo.address() as AddressInfo;
    const { json } = await callOver(`http://127.0.0.1:${port}`, document)(operation, {});
    expect(json).toBe(`${scheme} demo-token`);
  } finally {
    echo.close();
  }
});
