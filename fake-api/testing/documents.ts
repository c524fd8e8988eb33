/** Before the first test: the documents of all platforms exist, so that no two test files make them at the same time. */

import { ensureDocuments } from '../expand/platform-documents.ts';
import { listPlatforms } from '../expand/platforms-folder.ts';

export async function setup(): Promise<void> {
  await ensureDocuments(await listPlatforms());
}
