/** The documents of the shipped platforms, which a fresh clone has yet to make. */
import { runToItsEnd } from './prepare-subject.ts';

/**
 * Makes them below `root` where they are missing or their models changed, as the fake does at its start. For who gives them to a
 * subject before a fake runs.
 */
export const makeDocuments = (root: string): Promise<void> =>
  runToItsEnd('fake', ['node', 'fake-api/expand/expand-models.ts', '--json'], root, {});
