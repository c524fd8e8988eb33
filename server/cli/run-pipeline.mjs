#!/usr/bin/env node
/** svc-mcp-run-pipeline: moves switches to the new generation, stage by stage. */
import './new-enough.mjs';
import { keepCompiledCode } from './compile-cache.mjs';

keepCompiledCode();
await import('./migrate-switches.ts');
