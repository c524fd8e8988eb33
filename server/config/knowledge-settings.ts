/** Settings of semantic search: the embedder and the store of its vectors. */
import { RouterError } from '../errors.ts';
import { type Environment, invalid } from './environment.ts';
import type { RedisAddress } from './redis-address.ts';

export interface KnowledgeSettings {
  /** Where vectors are stored. Words and documents are always in the corpus file. */
  backend: 'embedded' | 'redis';
  /** The embedder; undefined = none, and only words find a document. */
  embedder: { url: string; model: string } | undefined;
}

const BACKEND = 'SVC_MCP_RAG_BACKEND';
const ADDRESS = 'OLLAMA_URL';

export function readKnowledge(environment: Environment, redis: RedisAddress | undefined): KnowledgeSettings {
  const backend = environment.choice<KnowledgeSettings['backend']>(BACKEND);
  const text = environment.set(ADDRESS);
  // Without an embedder there are no vectors to keep, so a missing Redis does no harm yet.
  if (backend === 'redis' && text !== undefined && redis === undefined)
    throw new RouterError(
      'CONFIG_INVALID',
      `${BACKEND}=redis needs SVC_MCP_REDIS_URL and SVC_MCP_REDIS_PASSWORD_PATH as well`,
    );
  return {
    backend,
    embedder: text === undefined ? undefined : { url: addressOf(text), model: modelOf(environment) },
  };
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The text is never repeated, because of what else may stand in it.
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.search !== '')
    throw new RouterError('CONFIG_INVALID', `${ADDRESS} should be http://host[:port] or https://…, got another form`);
  return url.href.replace(/\/$/, '');
}

function modelOf(environment: Environment): string {
  const name = environment.text('SVC_MCP_RAG_EMBED_MODEL');
  if (!/^[\w.:/-]{1,100}$/.test(name)) throw invalid('SVC_MCP_RAG_EMBED_MODEL', 'the name of a model', name);
  return name;
}
