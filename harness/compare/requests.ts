/** Labelled requests about the public document: which operation does a subject, or BM25 over its list, put first? */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publicDocument } from '../bench/packages.ts';
import { tokensOf } from '../recording/token-count.ts';
import type { Document } from '../sandbox/merged/served-documents.ts';
import { compactName, matchTools, namedTools, operationsOf } from './compare-operations.ts';
import { type MeasureOptions, operationsIn } from './measure.ts';
import type { Cell } from './row.ts';
import { connectAgent, openWithPublicDocument } from './subject-instance.ts';

const REQUESTS = 'server/test/bench/find/sets/github.jsonl';
const PREFIX = 'github_';
const ASKED = 5;

interface Request {
  id: string;
  intent?: string;
  query: string;
  /** Tools of the router; any of them is right. */
  gold: string[];
}

/** The half that this router's ranking was never tuned on; the README beside the file says how the halves are told apart. */
const isHeldOut = ({ id, intent = id }: Request): boolean =>
  (createHash('sha256').update(intent).digest()[0] ?? 0) >= 128;

export async function askRequests({
  root,
  subject,
  signal,
}: Pick<MeasureOptions, 'root' | 'subject' | 'signal'>): Promise<Partial<Cell>> {
  const requests = (await readFile(join(root, REQUESTS), 'utf8'))
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Request)
    .filter(isHeldOut);
  const operations = operationsOf(JSON.parse(await readFile(publicDocument(), 'utf8')) as Document);
  await using opened = await openWithPublicDocument(subject, root);
  await using instance = await opened.start();
  const tools = matchTools(operations, namedTools(subject, instance.list, operations), subject.surface?.prefix);
  const byId = new Map(operations.map(({ id, key }) => [compactName(id), key]));
  const keyOf = (name: string) => tools.operationOf(name) ?? byId.get(compactName(name.replace(PREFIX, ''))) ?? name;
  let [first, five, tokens] = [0, 0, 0];
  for (const { query, gold } of requests) {
    if (signal.aborted) return {};
    // Each request is a conversation of its own: nothing is remembered from the one before.
    const { mcp, roles, tokensUsed: spent } = connectAgent(subject, instance);
    const answer = await mcp.callTool(roles.discover, { query, top_k: ASKED });
    const found = (Array.isArray(answer.json) ? (answer.json as { name: string }[]) : []).map(({ name }) =>
      keyOf(name),
    );
    tokens += spent();
    const right = new Set(gold.map(keyOf));
    if (right.has(found[0] ?? '')) first++;
    if (found.slice(0, ASKED).some((key) => right.has(key))) five++;
  }
  return {
    tools: instance.list.length,
    definitionTokens: tokensOf(instance.list),
    definitionBytes: JSON.stringify(instance.list).length,
    ...operationsIn(subject, operations, tools),
    requests: { n: requests.length, first, five, tokens: Math.round(tokens / requests.length) },
  };
}
