/** `svc-mcp-catalog add` of documents that are there already: what changes, and the operator's yes where a class does. */
import type { BuiltCatalog } from '../catalog/build.ts';
import type { Config } from '../config/config.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { RouterError } from '../errors.ts';
import { changeLines, changesBetween, type DocumentChanges, type VersionedTool } from '../import/document-changes.ts';
import { openCatalog } from '../open-catalog.ts';

/**
 * A class decides which gate and which approval a call needs. Throws `USAGE` where a class changes and nobody can be
 * asked, or the answer is no; nothing is written by then. A platform that is new changes nothing.
 */
export async function agreedChanges(
  config: Config,
  platform: Pick<PlatformDefinition, 'id' | 'overrides'>,
  built: BuiltCatalog,
  accepted: boolean,
): Promise<DocumentChanges> {
  const earlier = config.known.find(({ id, kind }) => id === platform.id && kind === 'user');
  if (earlier === undefined) return changesBetween([], []);
  const found = changesBetween(toolsBefore(config, platform.id), built.tools);
  // What the operator lowers, or lowered, by --read-operation is reported by itself.
  const stated = { ...earlier.overrides, ...platform.overrides };
  const changes = { ...found, classes: found.classes.filter(({ operation }) => !Object.hasOwn(stated, operation)) };
  if (changes.classes.length > 0 && !accepted) await agree(changes);
  return changes;
}

function toolsBefore(config: Config, platform: string): VersionedTool[] {
  const { catalog } = openCatalog(config);
  try {
    return catalog
      .names()
      .filter((name) => name.startsWith(`${platform}_`))
      .flatMap((name) => catalog.tool(name) ?? [])
      .filter((tool) => tool.platform === platform)
      .map((tool) => ({ tool, schema: catalog.schema(tool.name) }));
  } finally {
    catalog.close();
  }
}

async function agree(changes: DocumentChanges): Promise<void> {
  process.stderr.write(
    changeLines(changes)
      .map((line) => `  ${line}\n`)
      .join(''),
  );
  const refused = (why: string) =>
    new RouterError('USAGE', `${why}; nothing was changed`, {
      remedy: 'look at the operations above, then add the documents with --accept-classes',
    });
  if (!process.stdin.isTTY) throw refused('the classes of operations change, and there is no terminal to ask');
  const { confirm, isCancel } = await import('../terminal-questions.ts');
  const answer = await confirm({ message: 'Take the new classes?', initialValue: false });
  if (isCancel(answer) || !answer) throw refused('the operator did not take the new classes');
}
