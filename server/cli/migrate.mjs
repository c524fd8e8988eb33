#!/usr/bin/env node
/** svc-mcp-migrate: what of a legacy controller's configuration can be moved, and in which order. */
import './new-enough.mjs';
import { keepCompiledCode } from './compile-cache.mjs';

keepCompiledCode();
await import('./plan-migration.ts');
