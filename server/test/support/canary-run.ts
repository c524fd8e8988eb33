/** R14: a platform that says back every credential it hears, asked again and again; nothing of them may come out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type InstallationTestbed, installationTestbed, type TestbedCall } from './installation-testbed.ts';
import { otlpReceiver } from './otlp-receiver.ts';
import { Canaries, filesBelow, newCanary } from './secret-canary.ts';

export interface CanaryRun {
  answers: number;
  /** Exported spans that were looked into. */
  spans: number;
  files: number;
  secrets: number;
  /** Where something came out: the sink and what stood around it. */
  hits: string[];
}

export interface CanaryTestbed extends AsyncDisposable {
  testbed: InstallationTestbed;
  /** Asks so many times from where it stopped, and looks into every sink. */
  run: (answers: number) => Promise<CanaryRun>;
}

const ENCODINGS = ['raw', 'base64', 'base64url', 'hex', 'url', 'json', 'piece', 'gzip'];
const MIXES = [ENCODINGS.slice(0, 7), ['raw', 'gzip'], ['piece']];
const PLACES = [['body', 'header'], ['error', 'header'], ['body'], ['error']];
const PLANS = PLACES.length * MIXES.length;
/** Answers kept at a time, until they have been looked into. */
const SHARE = 500;
const TOOLS = 112;
const AUDIT = 'audit.jsonl';

export async function canaryTestbed(platforms: readonly string[]): Promise<CanaryTestbed> {
  const receiver = await otlpReceiver();
  const canaries = new Map(platforms.map((id) => [id, newCanary()]));
  const testbed = await installationTestbed({
    platforms,
    variables: { SVC_MCP_AUDIT_LOG: AUDIT, SVC_MCP_CALL_TIMEOUT_SECONDS: '5', SVC_MCP_TRACES_URL: receiver.url },
    secretOf: (id) => String(canaries.get(id)),
  });
  // As many tools as the router keeps compiled checks of: it is answers that count here.
  const each = Math.floor(TOOLS / platforms.length);
  const calls = [...testbed.calls.values()].map((own) => spread(own, each));
  return {
    testbed,
    run: async (answers) => {
      const hits: string[] = [];
      const secrets = new Set(canaries.values());
      let asked = 0;
      for (const rules of plans()) {
        await testbed.plan(rules);
        const texts: string[] = [];
        const share = Math.min(SHARE, Math.ceil(answers / PLANS), answers - asked);
        while (texts.length < share) texts.push(await askNext(testbed, calls, asked++));
        // The logins are found in the router's own cache, the one folder that may hold them.
        for (const login of loginsOf(testbed)) secrets.add(login);
        noteAll(hits, 'answer', texts, new Canaries([...secrets]));
        if (asked >= answers) break;
      }
      const known = new Canaries([...secrets]);
      noteAll(hits, 'log', testbed.log, known);
      await testbed.sendTraces();
      noteAll(hits, 'trace', receiver.bodies, known);
      return {
        answers: asked,
        spans: receiver.spans().length,
        files: lookIntoFiles(testbed, known, hits),
        secrets: secrets.size,
        hits,
      };
    },
    [Symbol.asyncDispose]: async () => {
      await testbed[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

/** So many of a list, from all over it. */
function spread<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, at) => at % step === 0).slice(0, count);
}

/** Platforms in turn, and through the calls of each. */
async function askNext(
  testbed: InstallationTestbed,
  calls: readonly (readonly TestbedCall[])[],
  number: number,
): Promise<string> {
  const own = calls[number % calls.length] ?? [];
  const call = own[Math.floor(number / calls.length) % own.length];
  if (call === undefined) throw new Error('every platform should have calls');
  const dispatcher = call.tool.capability === 'read' ? 'invoke_read_tool' : 'invoke_tool';
  return (await testbed.ask(dispatcher, { name: call.tool.name, arguments: call.args })).text;
}

function noteAll(hits: string[], where: string, texts: readonly string[], known: Canaries): void {
  for (const text of texts) note(hits, where, known.in(text));
}

/** How many files the router left behind, with what was found in them. */
function lookIntoFiles(testbed: InstallationTestbed, known: Canaries, hits: string[]): number {
  let files = 0;
  // These hold secrets by their nature.
  const leftOut = ['tokens', 'config'].map((name) => join(testbed.folder, name));
  for (const { path, text } of filesBelow(testbed.folder)) {
    if (leftOut.some((folder) => path.startsWith(folder))) continue;
    files++;
    note(hits, path.slice(testbed.folder.length), known.in(text));
  }
  return files;
}

function note(hits: string[], sink: string, found: string | undefined): void {
  if (found !== undefined) hits.push(`${sink}: ${found}`);
}

/** Reflection in each place, in every encoding at once, packed as a whole, and in pieces; round after round. */
function* plans(): Generator<object[]> {
  for (;;)
    for (const places of PLACES)
      for (const encodings of MIXES) yield [{ times: 0, fault: { kind: 'reflect', in: places, encodings } }];
}

function loginsOf(testbed: InstallationTestbed): string[] {
  const found: string[] = [];
  for (const { path } of filesBelow(join(testbed.folder, 'tokens'))) {
    const { token, csrf } = JSON.parse(readFileSync(path, 'utf8')) as { token: string; csrf?: string };
    found.push(token, ...(csrf === undefined ? [] : [csrf]));
  }
  return found.filter((value) => value.length >= 16);
}
