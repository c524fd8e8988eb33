#!/usr/bin/env node
/** svc-mcp-doctor: looks at the local setup and changes nothing, so no compiled code is kept either. */
import './new-enough.mjs';

await import('./run-doctor.ts');
