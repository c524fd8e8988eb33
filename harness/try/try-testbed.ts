/** The fake that a try runs against: one document served, a namespace for each process of the server, and one to look things up in. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ApiDocument, readApiDocument } from '../generator/api-document.ts';
import { callOver, type Probe } from '../generator/api-probe.ts';
import { PLATFORM } from '../generator/scenario-draft.ts';
import { HarnessError } from '../harness-errors.ts';
import { type Control, openControl } from '../sandbox/fake-control.ts';
import { assertPortFree } from '../sandbox/port.ts';
import { startFake } from '../sandbox/sandbox.ts';
import type { ApiTarget } from './tried-server.ts';

const PROBE = 'probe';
const TOKEN = 'demo-token';

export interface TryTestbed extends AsyncDisposable {
  document: ApiDocument;
  control: Control;
  probe: Probe;
  /** A private folder that goes away with the testbed. */
  folder: string;
  /** `host:port` of the fake. */
  platformsAt: string;
  /** What a server with this namespace is told. */
  targetFor: (namespace: string) => Promise<ApiTarget>;
  /** Throws when the fake has ended. */
  assertAlive: () => void;
}

/** Throws `DOCUMENT_UNSERVED` for a document that is missing, or that the fake refuses. The signal ends the fake. */
export async function openTestbed(root: string, file: string, port = 0, signal?: AbortSignal): Promise<TryTestbed> {
  const document = await readApiDocument(file);
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'svc-mcp-try-'));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  await assertPortFree(port, '127.0.0.1', 'end the program that listens there, or name another port with --api-port');
  const own = ['--port', String(port), '--control-port', '0', '--openapi', resolve(file), '--name', PLATFORM];
  const fake = await startFake(root, ['none'], own, signal).catch((cause: Error) => {
    const why = /(FOREIGN_\w+|FAKE_\w+)[^\n]*/.exec(cause.message)?.[0];
    if (why === undefined) throw cause;
    throw new HarnessError(
      'DOCUMENT_UNSERVED',
      `${document.name} should be a document that the fake can serve, got ${why}`,
      {
        cause,
      },
    );
  });
  opening.defer(fake.close);
  const { api } = fake.ready;
  const control = openControl(fake.ready.control);
  const reset = async (): Promise<void> => {
    await control.reset(PROBE, {});
  };
  await reset();
  const call = callOver(`${api}/ns/${PROBE}/${PLATFORM}`, document);
  const opened = opening.move();
  return {
    document,
    control,
    folder,
    platformsAt: new URL(api).host,
    assertAlive: fake.assertAlive,
    probe: { call, reset, changes: () => control.changes(PROBE) },
    targetFor: async (namespace) => {
      await control.reset(namespace, {});
      const url = `${api}/ns/${namespace}/${PLATFORM}`;
      await mkdir(join(folder, namespace), { recursive: true });
      const path = join(folder, namespace, 'openapi.json');
      await writeFile(path, document.servedAt(url));
      return { api: url, document: path, token: TOKEN };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
