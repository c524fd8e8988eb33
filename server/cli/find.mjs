#!/usr/bin/env node
/** svc-mcp-find: what find_tool would answer, and why. */
import './new-enough.mjs';
import { keepCompiledCode } from './compile-cache.mjs';

keepCompiledCode();
await import('./find-tools.ts');
