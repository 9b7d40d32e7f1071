/** Loads the MCP client library on first use: it is large, and most processes never need it. */
export const loadSdk = () => import('@modelcontextprotocol/client')
/** MCP client library. */
export type Sdk = Awaited<ReturnType<typeof loadSdk>>
