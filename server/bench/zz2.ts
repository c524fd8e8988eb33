import { startRouter } from './child.ts';
import { operations } from './tool-names.ts';
import { mcpRequest, Wire } from './wire.ts';
const count = Number(process.argv[2]); const n = Number(process.argv[3] ?? 6000);
await using router = await startRouter(process.argv[4] ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${process.argv[4]}` } : {});
const ops = operations(count);
const reqs = ops.map((query) => mcpRequest({ era: '2026-07-28', id: 1, bearer: router.bearer, method: 'tools/call', params: { name: 'invoke_read_tool', arguments: { name: 'lookup_api', arguments: { query } } } }));
for (const round of [0, 1, 2]) {
const c0 = router.cpuSeconds()!; let left = n; let bytes = 0;
await Promise.all(Array.from({ length: 16 }, async () => { const w = new Wire(router.port); while (left-- > 0) { const a = await w.ask(reqs[left % reqs.length]!); bytes += a.body.length; } w.close(); }));
console.log(count, 'cpu ms/request', ((router.cpuSeconds()! - c0) * 1000) / n, 'bytes', bytes / n);
}
