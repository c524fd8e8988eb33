/** Validators that are not ours, over every document that is shipped. */
import { validate as validateWithParser } from '@apidevtools/swagger-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { expandPlatform } from './assemble-document.ts';
import { readPlatform } from './model/platform-folder-model.ts';
import { listPlatforms } from './model/platforms-folder.ts';
import { documentText } from './write-documents.ts';

test.each(await listPlatforms())('%s: two independent validators accept every document', async (id) => {
  for (const { name, document } of expandPlatform(await readPlatform(id))) {
    const plain = (): Record<string, unknown> => JSON.parse(documentText(document)) as Record<string, unknown>;
    const { valid, errors } = await new Validator().validate(plain());
    expect({ name, valid, errors: errors ?? null }).toEqual({ name, valid: true, errors: null });
    await expect(validateWithParser(plain() as never)).resolves.toBeTruthy();
  }
});
