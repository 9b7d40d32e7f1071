/** The library is large, and most processes never speak to a server of tools: it is loaded when somebody does. */
export const sdk = () => import('@modelcontextprotocol/client')
export type Sdk = Awaited<ReturnType<typeof sdk>>
