#!/usr/bin/env node
/** svc-mcp-setup: asks or takes flags, writes the local configuration, builds the catalog, runs the doctor. */
import './new-enough.mjs';
import { keepCompiledCode } from './compile-cache.mjs';

keepCompiledCode();
await import('./run-setup.ts');
