#!/usr/bin/env node
/** svc-mcp-index: the built catalog as an archive, for hosts that are not to build it. */
import './new-enough.mjs';
import { keepCompiledCode } from './compile-cache.mjs';

keepCompiledCode();
await import('./move-index.ts');
