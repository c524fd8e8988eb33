#!/usr/bin/env node
/** svc-mcp-run-ssid: builds wireless networks, underlay or overlay. */
import './new-enough.mjs';
import { keepCompiledCode } from './compile-cache.mjs';

keepCompiledCode();
await import('./build-ssids.ts');
