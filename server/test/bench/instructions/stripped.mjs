// Hands out sources whose types were taken away beforehand: under valgrind, taking them away would cost more than what is measured.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const [root, stripped] = [process.env.INSTRUCTIONS_ROOT, process.env.INSTRUCTIONS_STRIPPED];

registerHooks({
  load(url, context, next) {
    if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
    const path = fileURLToPath(url);
    if (!path.startsWith(root) || path.includes('/node_modules/')) return next(url, context);
    return { format: 'module', shortCircuit: true, source: readFileSync(stripped + path.slice(root.length), 'utf8') };
  },
});
