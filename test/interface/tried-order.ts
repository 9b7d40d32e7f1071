import type { Described } from '../support/openapi.ts'

/** What takes the ground from under the others comes last, and ends a session of its own. */
export function disruption({ method, path, operation: { operationId } }: Described): number {
  if (operationId === 'deleteStore') return 5
  if (operationId === 'changeProject') return 4
  if (/^\/v1\/users\/auth/.test(path) || /enable$|Integration$/i.test(operationId)) return 3
  if (method === 'DELETE') return 2
  return method !== 'GET' && /^\/v1\/(products|stores)\/\{\w+\}$/.test(path) ? 1 : 0
}
