/**
 * `npm run sbom`: what an installed router brings with it, as CycloneDX 1.5, from the lockfile alone. The same lockfile gives the
 * same bytes. Optional packages are listed as such; what only builds or tests is left out. (`npm sbom --omit=dev` leaves out packages
 * that a tool for developers asks for as well.)
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Entry {
  version?: string;
  integrity?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const text = readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8');
const { packages } = JSON.parse(text) as { packages: Record<string, Entry> };
const top = packages[''] as Entry;

/** Where Node would find a package from another one: in its own folder first, then in each above. */
function placeOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(dirname(folder)).replace(/\/node_modules$/, '')) {
    const place = `${folder === '' || folder === '.' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[place]) return place;
    if (folder === '' || folder === '.') return undefined;
  }
}

/** Every place that is reached, with whether all ways to it are optional. */
function reached(): Map<string, boolean> {
  const found = new Map<string, boolean>();
  const visit = (from: string, { dependencies = {}, optionalDependencies = {} }: Entry, isOptional: boolean) => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = placeOf(name, from);
      if (place === undefined || /^node-linux-/.test(name)) continue;
      const optional = isOptional || name in optionalDependencies;
      if (found.has(place) && (optional || found.get(place) === false)) continue;
      found.set(place, optional);
      visit(place, packages[place] as Entry, optional);
    }
  };
  visit('', top, false);
  return found;
}

function component(place: string, isOptional: boolean): object {
  const { version = '', integrity, license } = packages[place] as Entry;
  const name = place.replace(/^.*node_modules\//, '');
  const [alg, digest = ''] = integrity?.split('-') ?? [];
  const known =
    license === undefined
      ? {}
      : { licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }] };
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    scope: isOptional ? 'optional' : 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(alg === 'sha512'
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
    ...known,
  };
}

const digest = createHash('sha256').update(text).digest('hex');
const { name, version, license } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'),
) as Record<string, string>;
const serial = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
console.log(
  JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      serialNumber: `urn:uuid:${serial}`,
      version: 1,
      metadata: {
        component: {
          type: 'application',
          'bom-ref': `${name}@${version}`,
          name,
          version,
          licenses: [{ license: { id: license } }],
        },
      },
      components: [...reached()]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([place, isOptional]) => component(place, isOptional)),
    },
    null,
    2,
  ),
);
