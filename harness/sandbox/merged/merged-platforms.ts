/** The task world of one lane for a server that takes one document and one address: both are put into its command line. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openCredentialProxy } from './credential-proxy.ts';
import { mergeDocuments } from './merged-document.ts';
import type { Account } from './merged-login.ts';
import { readPlatformDocuments } from './served-documents.ts';

export interface MergedPlatforms {
  /** `{document}` and `{api}` of a command line, filled in. */
  fill: (command: readonly string[]) => string[];
  close: () => Promise<void>;
}

export interface MergedPlatformsOptions {
  root: string;
  platforms: readonly string[];
  /** Where `/<platform>` begins at the fake. */
  target: string;
  account: Account;
  /** Where the document is written. */
  folder: string;
}

export async function openMergedPlatforms(options: MergedPlatformsOptions): Promise<MergedPlatforms> {
  const { root, platforms, target, account, folder } = options;
  const documents = await readPlatformDocuments(root, platforms);
  const proxy = await openCredentialProxy({ target, documents, account });
  const document = join(folder, 'openapi.json');
  await writeFile(document, JSON.stringify(mergeDocuments(documents, proxy.url)));
  return {
    fill: (command) => command.map((part) => part.replace('{document}', document).replace('{api}', proxy.url)),
    close: proxy.close,
  };
}
