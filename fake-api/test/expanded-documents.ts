/** Before the first test or benchmark: the documents of all platforms exist, so that no two processes make them at the same time. */
import { listPlatforms } from '../expand/model/platforms-folder.ts';
import { ensureDocuments } from '../expand/platform-documents.ts';

export async function setup(): Promise<void> {
  await ensureDocuments(await listPlatforms());
}
