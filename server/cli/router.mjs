#!/usr/bin/env node
/** svc-mcp-router: starts with the compiled code of the last start, which must be arranged before anything is imported. */
import './new-enough.mjs';
import { keepCompiledCode } from './compile-cache.mjs';

keepCompiledCode();
await import('./serve-router.ts');
