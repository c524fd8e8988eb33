/**
 * The generated compose overlay (specification, section 1.5): what the answers say about the service of compose.yaml. Published
 * on one address, each secret a file of its own, and settings taken from `.env` at `up`, with every write gate refused where
 * `.env` says nothing.
 */
import { Document } from 'yaml';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { LAYOUT } from '../config/setup-layout.ts';
import { type Answers, BEARER, namesOf } from './answers.ts';
import { containerApprovals } from './approval-answers.ts';
import { allowList } from './binding-answers.ts';

const MOUNTED = '/run/secrets';
const CREDENTIALS = 'credentials_yaml';
const HEAD = ` Written by the setup; \`setup --docker --force\` writes it anew. Nothing in it is a secret. Start, from the folder of compose.yaml:
   docker compose -f compose.yaml -f ${LAYOUT.overlay} --profile router up -d --build mcp-router`;

/** Vectors in the Redis of compose.yaml, whose password is in a volume that both mount, made by the model server beside it. */
const RETRIEVAL = {
  environment: {
    SVC_MCP_REDIS_URL: 'redis://redis:6379',
    SVC_MCP_REDIS_PASSWORD_PATH: '/run/redis/password',
    OLLAMA_URL: 'http://ollama:11434',
  },
  service: {
    networks: ['default', 'inner'],
    volumes: ['redis-password:/run/redis:ro'],
    depends_on: { redis: { condition: 'service_healthy' }, ollama: { condition: 'service_started' } },
  },
};

export interface OverlaySecret {
  variable: string;
  path: string;
}

export function composeOverlay(
  answers: Answers,
  platforms: readonly PlatformDefinition[],
  secrets: readonly OverlaySecret[],
): string {
  const { port, expose, ragBackend, ragImage } = answers;
  const nameOf = (path: string) => path.slice(LAYOUT.secrets.length + 1);
  const files = [{ ...BEARER }, ...secrets];
  const lists = allowList(answers);
  const extras = [...(ragImage === 'ingestion' ? ['ingestion'] : []), ...(ragBackend === 'redis' ? ['redis'] : [])];
  const overlay = {
    services: {
      'mcp-router': {
        ...(extras.length > 0 ? { build: { args: { INSTALL_EXTRAS: extras.join(',') } } } : {}),
        ports: [`${published(expose)}:${port}:${port}`],
        environment: {
          MCP_TRANSPORT: 'streamable-http',
          MCP_HOST: '0.0.0.0',
          MCP_PORT: String(port),
          MCP_ALLOWED_HOSTS: lists,
          MCP_ALLOWED_ORIGINS: lists,
          CREDS_PATH: `${MOUNTED}/${CREDENTIALS}`,
          ...Object.fromEntries(files.map(({ variable, path }) => [`${variable}_FILE`, `${MOUNTED}/${nameOf(path)}`])),
          ...(ragBackend === 'redis' ? RETRIEVAL.environment : {}),
          ...knobs(answers, platforms),
          ...containerApprovals(answers),
        },
        secrets: [CREDENTIALS, ...files.map(({ path }) => nameOf(path))],
        ...(ragBackend === 'redis' ? RETRIEVAL.service : {}),
      },
    },
    secrets: {
      [CREDENTIALS]: { file: `./${LAYOUT.containerCredentials}` },
      ...Object.fromEntries(files.map(({ path }) => [nameOf(path), { file: `./${path}` }])),
    },
  };
  const document = new Document(overlay);
  document.commentBefore = HEAD;
  return document.toString({ lineWidth: 0 });
}

const published = (expose: string | undefined) =>
  expose === undefined ? '127.0.0.1' : expose.includes(':') ? `[${expose}]` : expose;

/** `.env` decides; where it is lost, what was chosen holds, but for writes: those are refused. */
function knobs({ mode, toolsets, products, profile, ragBackend }: Answers, platforms: readonly PlatformDefinition[]) {
  const fromEnv = (name: string, otherwise: string) => [name, `\${${name}:-${otherwise}}`];
  return Object.fromEntries([
    fromEnv('SVC_MCP_ROUTER_MODE', mode),
    fromEnv('SVC_MCP_TOOLSETS', namesOf(toolsets)),
    fromEnv('SVC_MCP_PRODUCTS', products.join(',')),
    fromEnv('SVC_MCP_ACCESS_PROFILE', profile === 'full-read-write' ? 'custom' : profile),
    fromEnv('SVC_MCP_PRODUCT_ACCESS', 'read-only'),
    ...platforms.flatMap(({ gate }) => (gate ? [fromEnv(gate.variable, '0')] : [])),
    ...(ragBackend === 'redis' ? [fromEnv('SVC_MCP_RAG_BACKEND', 'redis')] : []),
  ]);
}
