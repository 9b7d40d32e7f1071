/** The tool that a message of JSON-RPC calls; empty where it calls none. Of several messages none is meant: those are not taken. */
export function toolOf(body: unknown): string {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } | null }
  if (method !== 'tools/call' || typeof params !== 'object' || params === null) return ''
  return typeof params.name === 'string' ? params.name : ''
}
