/** A noun for each resource by which a person can tell it from the others: `admin hook` and `user hook`, not `hook` twice. */
import { type ApiResource, pathOf } from './api-resources.ts';
import { nounsOf } from './field-names.ts';
import { scopeOf } from './scenario-draft.ts';

/**
 * Resources of one noun that a question could not tell apart get the parts of their paths that not all of them have. Of those
 * that are called alike even then the first is kept.
 */
export function withOwnNouns(resources: readonly ApiResource[]): ApiResource[] {
  const alike = Map.groupBy(resources, calledIn);
  const named = resources.map((one): ApiResource => {
    const group = alike.get(calledIn(one)) ?? [];
    if (group.length < 2) return one;
    const parents = group.map(parentsOf);
    const own = parentsOf(one).filter((parent) => !parents.every((others) => others.includes(parent)));
    const before = own.map((parent) => `${parent} `).join('');
    return { ...one, noun: `${before}${one.noun}`, nouns: `${before}${one.nouns}` };
  });
  return [...Map.groupBy(named, calledIn).values()].flatMap((group) => group.slice(0, 1));
}

/** How a question names it. */
const calledIn = (resource: ApiResource): string => `${resource.noun}${scopeOf(itemPathOf(resource))}`;

const itemPathOf = (resource: ApiResource): string => resource.item?.operation.path ?? pathOf(resource);

/** `admin` of `/admin/hooks/{id}`, `org` of `/orgs/{id}/hooks`. */
function parentsOf(resource: ApiResource): string[] {
  const literal = itemPathOf(resource)
    .split('/')
    .filter((part) => part !== '' && !part.includes('{'));
  return literal.slice(0, -1).map((part) => nounsOf(`/${part}`).noun);
}
