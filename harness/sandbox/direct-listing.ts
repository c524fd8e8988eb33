/**
 * The token cost of a list of all tools for a model: starts the subject so that `tools/list` has all of them, and
 * counts the tokens. The report compares it with the cost of discovery.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Gates } from '../recording/recording.ts';
import { tokensOf } from '../recording/token-count.ts';
import { prepareSubject } from '../subject/prepare-subject.ts';
import { makeDocuments } from '../subject/shipped-documents.ts';
import type { Subject } from '../subject/subject.ts';
import { baseEnvironment } from '../subject/subject-process.ts';
import { demoAccount } from './demo-account.ts';
import { writeCredentials } from './sandbox.ts';
import { connectStdio } from './upstream.ts';

export interface DirectListingOptions {
  /** Where the platforms' models lie. */
  root: string;
  subject: Subject;
  cwd: string;
  platforms: readonly string[];
}

/** Undefined for a subject that has no such setting. The list is the same over every transport. */
export async function measureDirectListing(options: DirectListingOptions): Promise<Record<Gates, number> | undefined> {
  const { subject } = options;
  if (subject.direct_listing === undefined || !subject.transports.includes('stdio')) return undefined;
  await makeDocuments(options.root);
  await prepareSubject(subject, options.cwd);
  return { closed: await listingTokens(options, 'closed'), open: await listingTokens(options, 'open') };
}

async function listingTokens({ subject, cwd, platforms }: DirectListingOptions, gates: Gates): Promise<number> {
  const home = await mkdtemp(join(tmpdir(), 'tool-router-listing-'));
  try {
    // Nothing is called, so the platforms need no address that answers.
    const accounts = Object.fromEntries(platforms.map((id) => [id, demoAccount(`http://127.0.0.1:9/${id}`)]));
    const env = {
      ...baseEnvironment(),
      HOME: home,
      CREDS_PATH: await writeCredentials(home, accounts),
      TOKEN_CACHE_DIR: join(home, 'tokens'),
      ...subject.env,
      ...subject.transport_env.stdio,
      ...subject.gate_env[gates],
      ...subject.direct_listing,
    };
    const [command = '', ...args] = subject.command;
    const file = command === 'node' ? process.execPath : command;
    const upstream = await connectStdio({ name: `${subject.name}, listing all`, file, args, cwd, env });
    try {
      return tokensOf(await upstream.listTools());
    } finally {
      await upstream.close();
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
