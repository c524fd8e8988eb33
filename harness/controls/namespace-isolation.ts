/** Many runs on one fake at once: each namespace's ledger holds its own calls, in their order, and nobody else's. */
import { openControl } from '../sandbox/fake-control.ts';
import { startFake } from '../sandbox/sandbox.ts';

export interface NamespaceCheck {
  namespaces: number;
  calls: number;
  /** Entries of one namespace that another one's client made, or that are missing. */
  crossCounted: number;
}

export async function checkNamespaces(root: string, namespaces = 64, atATime = 8): Promise<NamespaceCheck> {
  await using fake = await startFake(root, ['nac'], ['--port', '0', '--control-port', '0']);
  const control = openControl(fake.ready.control);
  const sent = new Map<string, string[]>();
  const names = Array.from({ length: namespaces }, (_, i) => `run-${i}`);
  const waiting = [...names];
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      await control.reset(name, {});
      sent.set(name, await callsOf(`${fake.ready.api}/ns/${name}/nac`, name, 5 + (names.indexOf(name) % 17)));
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  let crossCounted = 0;
  for (const name of names) {
    const own = sent.get(name) ?? [];
    const entries = (await control.ledger(name)).map(({ method, path, query }) => `${method} ${path}?${query}`);
    crossCounted += Math.abs(entries.length - own.length);
    crossCounted += entries.filter((entry, i) => own[i] !== undefined && entry !== own[i]).length;
  }
  return { namespaces, calls: [...sent.values()].reduce((sum, own) => sum + own.length, 0), crossCounted };
}

/** Calls that only this namespace makes, so that a stray one is known by its text. */
async function callsOf(base: string, name: string, count: number): Promise<string[]> {
  const made: string[] = [];
  for (let i = 0; i < count; i++) {
    const path = `/api/network-device/name/${name}-${i}`;
    const response = await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${name}` } });
    await response.arrayBuffer();
    made.push(`GET ${path}?`);
  }
  return made;
}
