#!/usr/bin/env node
/** svc-mcp-catalog: builds the catalog from OpenAPI documents, checks it, and takes in documents of anybody's own. */
import './new-enough.mjs';
import { keepCompiledCode } from './compile-cache.mjs';

keepCompiledCode();
await import('./manage-catalog.ts');
