#!/usr/bin/env node
/** svc-mcp-principal: who may call the router, and what each may use. */
import './new-enough.mjs';
import { keepCompiledCode } from './compile-cache.mjs';

keepCompiledCode();
await import('./manage-principals.ts');
