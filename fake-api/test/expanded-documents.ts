/** Before the first test: the documents of all platforms exist, so that no two test files make them at the same time. */

import { listPlatforms } from '../expand/model/platforms-folder.ts';
import { ensureDocuments } from '../expand/platform-documents.ts';

export async function setup(): Promise<void> {
  await ensureDocuments(await listPlatforms());
}
