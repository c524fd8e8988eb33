/** What one operation wrote, another one shows: creations, deletions and changes, before and after a commit. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { listPlatforms } from '../expand/model/platforms-folder.ts';
import { type Installation, shippedInstallation } from './full-installation.ts';
import { servedOperations } from './platform-client.ts';
import { changed, created, deleted, type Verdict } from './written-objects.ts';

const ids = await listPlatforms();
let installation: Installation;

beforeAll(async () => {
  installation = await shippedInstallation();
});

/** Of an object-style write to something that is always there, nothing is created and nothing deleted. */
const isOfMany = (id: string, { kind, resource }: Operation): boolean =>
  kind !== 'set' || installation.platforms.get(id)!.resources.get(resource ?? '')?.singleton === false;

type Story = (installation: Installation, id: string, operation: Operation) => Verdict;

/** Operations whose object no other operation of the platform shows, each with its reason. */
const UNSHOWN: Record<string, string> = {
  replaceStaticRouteV1: 'the older contract has this one operation and nothing that reads',
  createLaunchLink: 'a link is opened once and never read again',
};

/** Operations of some kinds whose story goes wrong, with what went wrong. */
function wrongStories(
  id: string,
  kinds: readonly string[],
  story: Story,
  isMeant = (..._of: [string, Operation]) => true,
) {
  return servedOperations(installation.platforms.get(id)!)
    .filter((operation) => kinds.includes(operation.kind) && !(operation.id in UNSHOWN) && isMeant(id, operation))
    .flatMap((operation) => {
      const wrong = story(installation, id, operation);
      return wrong === null ? [] : [`${operation.id}: ${wrong}`];
    });
}

/** A platform that only reads has nothing to tell. */
const writes = (id: string): number =>
  servedOperations(installation.platforms.get(id)!).filter(({ capability }) => capability === 'write').length;

describe.each(ids)('what is written on %s', (id) => {
  it('is there after its creation, as it was sent', () => {
    expect(wrongStories(id, ['create', 'set', 'bulk-create'], created, isOfMany)).toEqual([]);
  });

  it('is gone after its deletion', () => {
    expect(wrongStories(id, ['delete', 'set', 'bulk-delete'], deleted, isOfMany)).toEqual([]);
  });

  it('reads otherwise after a change', () => {
    expect(wrongStories(id, ['replace', 'patch', 'singleton-put', 'set'], changed)).toEqual([]);
    expect(writes(id) > 0 || id === 'analytics').toBe(true);
  });
});
