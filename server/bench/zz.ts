import { SpecIndex } from '../spec-index/look-up.ts';
import { openLatest } from '../catalog/store.ts';
import { join } from 'node:path';
import { operations } from './tool-names.ts';
import { ROOT } from './child.ts';
const catalog = openLatest(join(ROOT, 'var/catalog'))!;
const index = new SpecIndex(join(catalog.folder, 'spec-index.sqlite'.length ? (await import('../spec-index/build.ts')).SPEC_INDEX_FILE : ''));
const ops = operations(2000);
const served = ['mgmt','workspace'];
for (const round of [1,2,3]) {
  let t = process.cpuUsage(); let hits = 0;
  for (const query of ops) hits += index.lookUp({ query, limit: 10, platforms: served }).length;
  let d = process.cpuUsage(t); console.log('lookUp', (d.user + d.system) / ops.length, 'us', hits);
  t = process.cpuUsage();
  for (const query of ops) { catalog.wrapping(query); }
  d = process.cpuUsage(t); console.log('exactly+toolAt', (d.user + d.system) / ops.length, 'us');
}
