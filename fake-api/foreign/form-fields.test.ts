/** Forms whose documents declare fields with brackets in their names. */
import { expect, test } from 'vitest';
import { answering, foreignDocument } from '../test/foreign-sample-document.ts';
import { servedDocument } from '../test/served-document.ts';

const text = { type: 'string' };

test('a field that is declared with brackets in its name is that field, and brackets elsewhere nest', async () => {
  const schema = {
    type: 'object',
    required: ['camera[model]', 'ports[]'],
    properties: { 'camera[model]': text, 'ports[]': { type: 'array', items: { type: 'integer' } }, site: { type: 'object', properties: { city: text } } },
    additionalProperties: false,
  }; // biome-ignore format: a field a line
  const content = { 'application/x-www-form-urlencoded': { schema } };
  const paths = { '/cameras': { post: { requestBody: { required: true, content }, ...answering({ const: 1 }) } } };
  await using zoo = await servedDocument(foreignDocument(paths));
  const send = async (fields: string) =>
    (await fetch(`${zoo.url}/cameras`, { method: 'POST', body: new URLSearchParams(fields) })).status;
  expect(await send('camera[model]=C1&ports[]=1&ports[]=2&site[city]=Bern')).toBe(200);
  expect(await send('camera[model]=C1&ports[]=one')).toBe(400);
  expect(await send('camera[make]=C1&ports[]=1')).toBe(400);
});

test('a form that the document states as one text is taken as it was sent', async () => {
  const content = { 'application/x-www-form-urlencoded': { schema: { type: 'string', pattern: '^title=' } } };
  const paths = { '/recipes': { post: { requestBody: { required: true, content }, ...answering({ const: 1 }) } } };
  await using zoo = await servedDocument(foreignDocument(paths));
  const send = async (fields: string) =>
    (await fetch(`${zoo.url}/recipes`, { method: 'POST', body: new URLSearchParams(fields) })).status;
  expect([await send('title=soup&of=leek'), await send('of=leek')]).toEqual([200, 400]);
});

test('a body of a media type whose name is left out may come as JSON', async () => {
  const content = { '': { schema: { type: 'object', required: ['site'], properties: { site: text } } } };
  const paths = { '/plans': { post: { requestBody: { required: true, content }, ...answering({ const: 1 }) } } };
  await using zoo = await servedDocument(foreignDocument(paths));
  const send = async (body: object) =>
    (
      await fetch(`${zoo.url}/plans`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status;
  expect([await send({ site: 'hq' }), await send({})]).toEqual([200, 400]);
});
