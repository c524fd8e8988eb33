/** Exit 0 when the router in this container is alive, for HEALTHCHECK. */
import { get } from 'node:http';

const request = get({ host: '127.0.0.1', port: Number(process.env.MCP_PORT || 8010), path: '/livez', timeout: 3_000 });
request.on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1));
request.on('timeout', () => process.exit(1)).on('error', () => process.exit(1));
