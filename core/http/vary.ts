/** Adds request headers to the `Vary` of a response, each of them once. */
export function addVary(headers: Record<string, string | number>, ...names: readonly string[]): void {
  const known = headers.vary === undefined ? [] : String(headers.vary).split(', ')
  headers.vary = [...new Set([...known, ...names])].join(', ')
}
