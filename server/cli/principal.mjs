#!/usr/bin/env node
/** svc-mcp-principal: who may call the router, and what each may use. */
import './new-enough.mjs';

await import('./manage-principals.ts');
