/** Returns the name of the tool that a JSON-RPC message calls, or an empty string. A batch has none: the endpoint refuses batches. */
export function calledTool(body: unknown): string {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } | null }
  if (method !== 'tools/call' || typeof params !== 'object' || params === null) return ''
  return typeof params.name === 'string' ? params.name : ''
}
