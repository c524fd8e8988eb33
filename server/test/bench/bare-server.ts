/** The least one can start on the same SDK and the same HTTP framework: what every router of this kind has to pay. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'compile'));
await import('./bare-mcp.ts');
