/** A foreign document behind a real socket, with its ledger. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LedgerAnswer, LedgerEntry } from '../control/ledger.ts';
import { type FakeApi, startFakeApi } from '../fake.ts';
import type { Part } from './foreign-sample-document.ts';

export interface ServedDocument extends AsyncDisposable {
  fake: FakeApi;
  /** URL of the platform `zoo`. */
  url: string;
  ledger: () => Promise<LedgerEntry[]>;
}

export async function servedDocument(document: Part | string, file = 'zoo.json'): Promise<ServedDocument> {
  const folder = await mkdtemp(join(tmpdir(), 'served-'));
  const path = join(folder, file);
  await writeFile(path, typeof document === 'string' ? document : JSON.stringify(document));
  const fake = await startFakeApi({ documents: new Map(), foreign: [{ file: path, name: 'zoo' }] });
  const ledger = async () =>
    ((await (await fetch(`${fake.control}/namespaces/default/ledger`)).json()) as LedgerAnswer).entries;
  const close = async (): Promise<void> => {
    await fake.close();
    await rm(folder, { recursive: true });
  };
  return { fake, url: fake.platforms['zoo'] as string, ledger, [Symbol.asyncDispose]: close };
}
